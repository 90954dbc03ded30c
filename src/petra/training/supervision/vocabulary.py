"""Closed lists of English words that tell a name's place in its sentence, and names that are rather places."""

from __future__ import annotations

from petra.english.vocabulary import listed

MASCULINE = listed("he him his himself")
FEMININE = listed("she her hers herself")

# Followed by a clause: the name after one of these is its subject.
SUBORDINATORS = listed("""
    that when while because although though if where until since once whereas whether after before as but and why
    how so
    """)
# Followed by a name alone. Not "of": "the death of him" is not what people write.
PREPOSITIONS = listed("""
    to with by for from against about on upon into over under alongside beside without toward towards behind near at
    around like beyond before after through
    """)
# Before a name that is rather a place or a thing than a person.
PLACE_PREPOSITIONS = listed("in at of the on from for")
# Before what the pronoun may refer to later in the sentence: "In her first year, Ada ..."
OPENERS = listed("""
    in during after with despite before for as while when throughout upon following on at by like although though
    because since until unlike from through under without if once
    """)
# Verbs that take a clause: "said Ada was".
SAYING = listed("""
    said says say thought thinks felt feels believed believes claimed claims stated states wrote writes noted notes
    argued argues suggested suggests reported reports knew knows hoped hopes feared fears admitted admits realised
    realized realizes announced revealed reveals explained explains stressed asserted denied denies
    """)
# Verbs before a person as their object, in forms that no noun has.
ACTING = listed("""
    told tells asked asks gave gives made makes saw sees met meets defeated defeats replaced replaces killed kills
    named called appointed allowed allows helped helps sent sends brought brings left persuaded persuades convinced
    convinces offered invited invites married marries found finds shot shoots hired fired praised criticized
    criticised accused accuses arrested attacked rescued rescues saved visited followed follows joined joins
    informed informs warned warns urged forced ordered encouraged enabled awarded granted paid showed taught teaches
    led considered described advised assisted supported selected chose chooses elected nominated promoted declared
    kept keeps took takes loved kissed kisses confronted confronts betrayed betrays contacted blamed blames thanked
    thanks admired inspired influenced introduced introduces tricked tricks captured captures fought faced tackled
    succeeded succeeds dismissed signed sued sues stabbed stabs hated hates seduced seduces knocked challenged
    remembered remembers recognized recognised recognizes watched watches heard hears pushed directed recruited
    recruits interviewed seeing telling asking giving making beating defeating replacing killing naming calling
    allowing helping sending bringing leaving letting convincing inviting marrying finding shooting hiring accusing
    attacking saving visiting joining forcing encouraging taking confronting introducing facing succeeding
    """)
# What people do, and clubs, ships and towns do not.
PERSONAL = SAYING | listed("""
    told tells asked asks died dies married marries recalled recalls replied replies commented remarked thinks
    decides decided tried tries retired retires smiles laughs kisses confesses wants wanted loved loves praised
    criticized criticised complained wished composed sang studied graduated scored resigned persuaded convinces
    convinced learns learned remembers remembered arrives returned returns sees saw joked agreed agrees refuses
    refused insisted insists
    """)
# Between a subject and its verb.
ADVERBS = listed("""
    also then later never still again soon eventually first once always often even just now twice initially finally
    subsequently apparently reportedly reluctantly immediately quickly himself herself
    """)
AUXILIARIES = listed("""
    was is had has did does would could should might may must will can were been be cannot
    """)
IRREGULAR_PAST = listed("""
    became began broke brought built bought came caught chose cut did died drew drove ate fell felt fought found
    flew forgot gave got went grew heard held hit kept knew laid led left lent let lost made meant met paid put ran
    read rode rose said sang sat saw sent set shook shot sold spent spoke stole stood struck swam swore swung taught
    took told thought threw understood undertook wept won wore woke wrote withdrew sought spun hung shut bet beat
    bore bound dealt dug fled forbade froze hid hurt overcame oversaw rang rebuilt retook sank shone slept slid
    stuck swept
    """)
# Ends in -s or -ed and is no verb.
NOT_VERBS = listed("""
    as this thus its his perhaps always hers yes others besides sometimes regardless themselves towards us aged
    based born nicknamed series news plus versus alias née
    """)
# What may not follow a subject.
AFTER_NO_SUBJECT = listed("""
    and or of in at on to with by for from who whom whose which that as nor than the a an but against into during
    between near after before when while
    """)
# Nouns for women and for men: with one of them in a text, a name is not the only one a pronoun may mean.
FEMALE_NOUNS = listed("""
    woman girl mother wife daughter sister queen princess lady actress girlfriend widow aunt niece grandmother
    mistress bride heroine goddess nun waitress duchess countess fiancée mom mum granddaughter stepmother housewife
    """)
MALE_NOUNS = listed("""
    man boy father husband son brother king prince lord boyfriend widower uncle nephew grandfather groom monk waiter
    duke count fiancé dad grandson stepfather policeman gentleman businessman
    """)

# A run of capitals that ends so names no person.
NO_PERSON_ENDINGS = listed("""
    River County Street Road Avenue University College School Hall Park Island Islands Beach Lake Mountain Mountains
    Hill Hills Valley Bay Bridge Airport Station Church Cathedral Abbey Chapel Castle House Palace Hospital Theatre
    Theater Museum Library Stadium Arena Field Ground Square Tower Award Awards Prize Cup Medal Trophy League Series
    Show Band Orchestra Records Company Corporation Inc Ltd Press Magazine Times Post Journal Act Bill Treaty War
    Battle Army Navy Force Regiment Battalion Brigade Division Corps Fleet Squadron Party Committee Council
    Commission Court Office Department Ministry Institute Society Association Foundation Club Team City Town Village
    Township Parish District Province State States Territory Region Coast Sea Ocean Channel Strait Falls Creek
    Forest Desert Plains Cross Order Day Night Week Month Year Century Dynasty Empire Kingdom Republic Union
    Federation Center Centre Building Memorial Cemetery Garden Gardens Zoo Hotel Inn Bank Trust Fund Group Network
    Studios Studio Pictures Entertainment Productions Films Games Album Tour Song Festival Championship
    Championships Open Bowl Conference Formation Class Line Railway Railroad Highway Route Bible Code Effect Theorem
    Law Model Method Syndrome Disease Point Cape Rock Springs Grove Heights Peak Pass Glacier Canyon Basin Peninsula
    Gulf Sound Harbor Harbour Port Fort Camp Base Saints Rangers Giants United Rovers Athletic Wanderers Albion
    Hotspur Villa Expedition Revolution Rebellion Affair Case Trial Report Review Stakes Family Brothers Sisters Dam
    Reservoir Canal Lighthouse Academy Highness Majesty Ship Hurricane Storm Cyclone Christ English Irish French
    German
    """)
# First names that are more often places, peoples or titles, with whatever follows.
NO_FIRST_NAMES = listed("""
    Virginia Georgia Carolina Paris Sydney Florence Chelsea Austin Houston Madison Washington Victoria Dallas Israel
    London Chad Troy Savannah Holland India China Asia Kenya Lincoln Cleveland Denver Brooklyn Hamilton Lancaster
    York Kent Derby Chester Stanford Cambridge Oxford Melbourne Aberdeen Arlington Berkeley Brazil America Alabama
    Montana Dakota Nevada Arizona Indiana Louisiana Tennessee Missouri Persia Verona Vienna Alexandria Adelaide
    Regina Santa San Saint April August Sunday Christmas Easter Pope Lord Royal Prince King Duke Earl Baron Bishop
    Judge Major General Independence Liberty Justice Christ Christians Jesus God Buddha Bethlehem Nazareth Phoenix
    Orlando Raleigh Odessa Salem Geneva Alberta Erie Tripoli Worcester Winchester Windsor Marina Marine Martian
    Venus Mercury Mars Jupiter Pacific Atlantic Scot Roman Norman German French Saxon Welsh Chancellor Man Van Von
    Del La Le Min Albany Andorra Britain Britannia Essex Leicester Normandy Palestine Peru Sierra Tasmania Vermont
    Canada France Florida Somerset Allah Isis Ave Red Shadow Warner Love Sun Star West North East South Chief Colony
    Say See Way Wait Worthy Merry Happy Gay Storm Sky Sonic Noble Sterling Harmony Melody Destiny Glory Mercy Winter
    Summer Autumn Diamond Crystal Angel Stone Forest Field Ford Hall Hill Lake Shell Case Price Chase Page Tudor
    Italia Australia Russia Africa Afghanistan Dodge Mercedes Lexus Portland Bergen Trent Devon Cornwall Lorraine
    Columbia Catalina Guadalupe Concordia Antarctica Euro Fleet
    """)
# First names that alone are rather a word, a surname or a thing.
NOT_ALONE = listed("""
    May June Christian Dean Marshall Grant Faith Hope Grace Joy Dawn Rose Lily Olive Ruby Pearl Amber Ivy Iris Will
    Art Guy Rich Bill Bay Bear Mark Penny Brandy Sandy Rocky Rusty Tabor Wells Worth Vail Nelson Thor Merlin Ajax
    Hercules Mario Tiger Wolf Fox Hawk Barb Jackson Charlotte Jordan Frank Dane Gill Sue Bea Bee Young Drew Hunter
    Archer Carter Parker Taylor Tyler Mason Cooper Turner Porter Sawyer Baker Butler Chandler Cole Dale Glen Heath
    Brook Reed Ray Rob Wade Ware Valentine Abbot Ali Ebony Lane Mickey Jo Holly Heather Hazel Myrtle Violet Daisy
    Fern Flora Aurora Jade Gale Constance Prudence Patience Honor Charity Chastity Harley Shaw Chris Cat Kitty Kit
    Dot Bird Bud Buck Bo Ace Christy Eve Misty Ginger Candy Cherry Clement Lindsey Morgan Nova Orion Stewart Gray
    Flint Chen Perry Coleman Howard Lawrence Douglas Harrison Gardner Madonna
    """)

# What only people are called, one of them or several.
PEOPLE_WORDS = listed("""
    man woman boy girl child baby lad lady gentleman person stranger teenager toddler men women boys girls children
    mother father mom mum dad parent parents son sons daughter daughters brother brothers sister sisters husband wife
    ex-husband ex-wife widow widower fiancé fiancée bride groom uncle aunt cousin cousins nephew niece grandfather
    grandmother grandson granddaughter grandparents stepfather stepmother father-in-law mother-in-law brother-in-law
    sister-in-law son-in-law daughter-in-law boyfriend girlfriend lover friend friends neighbour neighbor colleague
    colleagues roommate classmate companion mentor rival
    doctor nurse surgeon physician dentist psychiatrist psychologist patient teacher professor lecturer tutor student
    students pupil scholar historian philosopher scientist physicist chemist biologist economist researcher engineer
    architect inventor librarian lawyer attorney barrister solicitor prosecutor judge magistrate juror defendant
    plaintiff client suspect victim witness prisoner inmate detective policeman policewoman constable sheriff officer
    soldier sergeant lieutenant colonel bodyguard gunman robber thief burglar murderer killer hostage passenger
    pedestrian cyclist motorist firefighter paramedic pilot sailor astronaut
    president vice-president premier chancellor senator congressman congresswoman politician mayor governor minister
    ambassador diplomat councillor candidate spokesman spokeswoman spokesperson activist protester campaigner dissident
    king queen prince princess emperor empress duke duchess count countess baron baroness knight nobleman heir heiress
    bishop priest nun monk pastor clergyman rabbi imam
    actor actress singer songwriter musician composer conductor pianist violinist guitarist bassist drummer rapper
    dancer choreographer comedian filmmaker screenwriter playwright novelist poet writer author journalist reporter
    columnist editor photographer painter sculptor cartoonist illustrator presenter broadcaster celebrity
    footballer goalkeeper striker cricketer boxer wrestler golfer swimmer sprinter athlete coach referee teammate
    chairman chairwoman businessman businesswoman entrepreneur employer employee secretary accountant banker
    salesman carpenter plumber electrician farmer butcher baker waiter waitress chef maid butler servant housekeeper
    gardener landlord landlady tenant guest visitor customer orphan refugee immigrant homeowner volunteer
    """)
# After a noun these tell that its phrase is at an end, unlike "of" or "who".
AFTER_NOUNS = listed("""
    and or but is was were are has had have would could should can will may might must did does do when while because
    although though if until unless since before after than then also never not later soon again still already often
    said says say told tells asked asks went came saw made took gave got found left knew thought felt kept began became
    """)
