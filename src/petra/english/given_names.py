"""Given names that tell a person's gender.

Only names that are hardly ever a surname or borne by both: what is not listed here
says nothing, and the pronouns of a text settle it.
"""

from __future__ import annotations

from petra.english.gender import Gender
from petra.english.vocabulary import listed

_MASCULINE = listed("""
    aaron abraham adam adolf adrian alan albert alec alexander alfred alfonso algernon ambrose andreas andrew angus
    anthony antoine antonio archibald arnold arthur august augustus barnaby bartholomew basil benedict benjamin bernard
    bertram boris brian bruno carl carlos cecil cedric charles christopher clarence claude claudius clifford colin
    conrad cornelius cuthbert cyril daniel david dennis derek dick diego dmitri dominic donald duncan ebenezer edgar
    edmund edward edwin egbert elijah eric ernest eugene ezra felix ferdinand fernando francesco francis francois
    frank franz fred frederick friedrich gabriel gary geoffrey george gerald gilbert giovanni giuseppe godfrey
    gregory guillaume gustav guy hamish hans harold harry hector heinrich henri henry herbert herman hermann horace
    horatio hubert hugh hugo humphrey ian ignatius igor isaac ivan jack jacob jacques jake james jason jasper jean-luc
    jefferson jeremiah jeremy jerome jesse jim joachim joe johann john jonathan jorge jose josef joseph joshua juan
    julian julius karl kenneth kevin konstantin lancelot larry laurence leonard leopold lewis lorenzo louis lucas
    lucius ludwig luigi luke luther magnus malcolm manuel marco marcus mark martin matthew maurice max maximilian
    michael miguel mike mikhail moritz morris moses napoleon nathan nathaniel ned neil nicholas nicolas nigel nikolai
    noah norman oliver orlando oscar oswald otto owen pablo patrick paul pavel pedro percival peter philip philippe
    pierre ralph raphael raymond reginald reuben richard robert roberto roderick rodolphe roger roland ronald rudolf
    rufus rupert samson samuel sebastian septimus sergei seth sidney siegfried sigmund silas simon solomon stanislaus
    stanley stefan stephen steve steven stuart thaddeus theodore theophilus thomas timothy titus tobias tom ulysses
    victor vincent vladimir walter wilfred wilhelm william wolfgang xavier zachary
    """)
_FEMININE = listed("""
    abigail ada adelaide adele adeline agatha agnes alexandra alice alicia alison althea amanda amelia amy anastasia
    angela angelina anita ann anna annabel anne annette annie antoinette antonia arabella audrey augusta barbara
    beatrice becky belinda bella bernadette bertha bess bessie beth betsy betty bianca brenda bridget camilla
    carmen carol caroline carolyn cassandra catherine cecilia cecily celeste celia charlotte christina christine
    clara clarissa claudia clementina clotilde constance cordelia cornelia cynthia daphne deborah delia denise diana
    dolores dora dorothea dorothy edith edna effie eileen elaine eleanor eliza elizabeth ella ellen elsa elsie emily
    emma emmeline ernestine estella esther ethel eugenia eugenie eunice euphemia eva evangeline evelina fanny
    felicity fiona florence frances francesca freda frederica gabrielle genevieve georgiana georgina geraldine
    gertrude gilda gina giulia gladys gloria gretchen griselda gudrun gwendolen hannah harriet heidi helen helena
    helene henrietta hermione hester hilda ida imogen ingrid irene isabel isabella isadora jane janet jean jemima
    jennifer jenny jessica joan joanna josephine judith julia juliana juliet julietta karen kate katharine katherine
    kathleen katie kitty laura lavinia leonora letitia linda lisa lizzie lizzy lottie louisa louise lucia lucilla
    lucinda lucretia lucy lydia mabel madeleine madeline maggie margaret margarita margery maria mariana marianne
    marie marietta marion marjorie martha mary matilda maud maude meg melissa mildred millicent minerva minnie
    miranda miriam molly monica muriel nancy natalia natasha nell nellie nora octavia olga olivia ophelia pamela
    patricia patty paula paulina pauline peggy penelope philippa phoebe phyllis polly priscilla prudence rachel
    rebecca rhoda rosa rosalie rosalind rosamond roxana ruth sally samantha sarah selina sharon sheila sophia sophie
    sophy stella stephanie susan susanna susannah susie sybil sylvia tabitha tatiana tess thea theodora theresa
    ursula valerie vanessa vera veronica victoria viola vivien wendy wilhelmina winifred yvonne zenobia zoe
    """)


def given_name_gender(word: str) -> Gender | None:
    """What a given name in lower case says about the gender."""
    if word in _MASCULINE:
        return "masculine"
    return "feminine" if word in _FEMININE else None
