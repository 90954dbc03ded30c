"""Pet names: the short forms by which English speakers call people of a longer name."""

from __future__ import annotations

# Each line: a name, then what its bearers are called. Only forms that leave little doubt.
_FORMS = """
    abigail abby nabby
    albert bert bertie
    alexander alec alex sandy
    alfred alf alfie fred
    alice ally
    amelia emmy milly
    andrew andy drew
    anne ann annie nan nancy nanny
    anthony tony
    arthur art artie
    augustus gus gussie
    barbara babs barbie
    benjamin ben benny
    bridget biddy bridie
    caroline carrie caro
    catherine katherine kate katy kitty cathy kathy cat kit
    charles charley charlie chas chuck
    charlotte lottie charley
    christopher chris kit
    clara clare
    constance connie
    cornelius con neil
    daniel dan danny
    david dave davy
    deborah deb debbie
    dorothy dot dolly dora
    edith edie
    edmund ned ted eddie
    edward ned ted teddy eddie ed eddy
    eleanor nell nellie nora ellen
    elizabeth eliza lizzy lizzie liz bess bessy betsy betty beth libby lisa elsie
    emily em emmy milly
    ernest ernie
    eugene gene
    florence flo florrie flossie
    frances fanny fran frankie
    francis frank
    frederick fred freddy freddie
    george georgie geordie
    georgiana georgy
    gerald gerry jerry
    gertrude gertie trudy
    gilbert bert gil
    harriet hattie harry
    helen nell nellie
    henrietta hetty etta
    henry harry hal hank
    herbert bert bertie herb
    huckleberry huck
    hugh hughie
    isaac ike
    isabella isabel bella bell
    jacob jake
    james jim jimmy jem jamie
    jane jenny janey
    jennifer jen jenny
    jeremiah jerry
    john johnny jack
    jonathan jon
    joseph joe joey jos
    josephine jo josie
    joshua josh
    judith judy
    katharine kate katy kitty
    lawrence larry laurie
    leonard len lenny leo
    lewis lew
    louis lou
    louisa lou louie
    lucy lu
    margaret maggie meg peggy madge margie daisy greta
    martha patty mattie
    mary molly polly mamie may
    matilda tilly maud
    matthew matt
    maximilian max
    michael mike mick mickey
    mildred milly
    nathaniel nat nate
    nicholas nick
    oliver noll ollie
    patrick pat paddy
    peter pete
    philip phil pip
    priscilla cilla prissy
    rachel rae
    rebecca becky
    reginald reg reggie
    richard dick dickie rick rich
    robert bob bobby rob robin robbie bert
    roger hodge
    ronald ron ronnie
    samuel sam sammy
    sarah sally sadie
    sidney sid
    simon si
    sophia sophie sophy
    stephen steve steven
    susan sue susie sukey
    susanna sue susie sukey
    teresa theresa tess terry
    theodore ted teddy theo
    thomas tom tommy
    timothy tim
    victoria vicky
    vincent vince
    virginia ginny
    walter walt wat
    wilhelmina mina minna
    william will bill billy willie willy
    winifred winnie
    zachariah zach zack
    """
_CALLED: dict[str, frozenset[str]] = {
    name: frozenset(forms) for name, *forms in (line.split() for line in _FORMS.splitlines() if line.strip())
}
_FULL: dict[str, frozenset[str]] = {
    form: frozenset(name for name, forms in _CALLED.items() if form in forms)
    for form in frozenset().union(*_CALLED.values())
}


def related(word: str) -> frozenset[str]:
    """The other names, in lower case, that somebody of this one may have: Elizabeth for Lizzy, Lizzy for Elizabeth.

    Two pet names of one longer name are related too: Lizzy and Eliza.
    """
    full = _FULL.get(word, frozenset())
    forms = (_CALLED.get(name, frozenset()) for name in (word, *full))
    return full.union(*forms) - {word}
