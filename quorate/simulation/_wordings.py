"""Sentences of abstracts: for each criterion, some that mean it is met and some that mean it is not.

They include misleading words, such as people drawn at random from a register, so that no single word decides.
"""

DESIGN = {
    True: (
        "Participants were randomly assigned to two groups.",
        "In this randomised controlled trial, patients were allocated 1:1.",
        "Allocation followed a computer-generated random sequence in sealed envelopes.",
        "We conducted a double-blind, placebo-controlled randomized study.",
        "Clusters were randomised to intervention or usual care by an independent statistician.",
        "Treatment arms were drawn by lot, and neither patients nor assessors knew them.",
    ),
    False: (
        "We reviewed the records of all patients treated between two dates.",
        "In this cohort study, participants were followed from enrolment.",
        "A cross-sectional survey was sent to people drawn at random from a register.",
        "Cases were compared with matched controls from the same clinics.",
        "We report a consecutive series from a single centre without a comparison group.",
        "A before-and-after comparison was made when the guideline changed; nobody was randomised.",
        "This is a narrative review of randomised trials published so far.",
    ),
}

PEOPLE = {
    True: (
        "They were adults aged 18 to 65.",
        "Men and women over forty took part.",
        "The mean age was {older} years (SD {spread}).",
        "Residents of nursing homes were included.",
        "Eligible were working-age patients of primary care.",
        "Veterans with a history of hospital stays were enrolled.",
    ),
    False: (
        "They were children aged 6 to 12.",
        "Adolescents from {few} secondary schools took part.",
        "The mean age was {younger} years (SD 2).",
        "Infants born before term were included, with consent of an adult.",
        "Eligible were pupils in their first year at school.",
        "Toddlers were enrolled while their parents, all adults, answered questions.",
    ),
}

DRUG = {
    True: (
        "Treatment was metformin, {dose} mg twice a day.",
        "The biguanide metformin was added to usual care.",
        "Extended-release metformin was started at {dose} mg.",
        "All received Glucophage in rising doses.",
        "The intervention was {dose} mg of metformin hydrochloride.",
        "Metformin was given for {weeks} weeks.",
    ),
    False: (
        "Treatment was a sulfonylurea, {dose} mg a day.",
        "The intervention was a diet with a coach on the telephone.",
        "All received insulin glargine; those on metformin were not eligible.",
        "An SGLT2 inhibitor was added to usual care.",
        "A walking programme of {weeks} weeks was offered.",
        "Pioglitazone was started at a low dose, since metformin had not been tolerated.",
        "Patients taking metformin or other tablets were excluded.",
    ),
}

BACKGROUND = (
    "Type 2 diabetes is a growing burden.",
    "Weight and blood glucose are hard to control.",
    "Little is known about long-term outcomes.",
    "Guidelines disagree on what to do first.",
    "Earlier work was small and of mixed quality.",
)

OUTCOME = (
    "The main outcome was HbA1c after {weeks} weeks.",
    "We measured fasting glucose and body weight in {many} people.",
    "Follow-up was complete in {share} % of {many}.",
    "The difference was {tenths} points (95 % CI {tenths_low} to {tenths_high}).",
    "Side effects were mild and seen in {few} people.",
)

ENDING = (
    "Larger studies are needed.",
    "The findings support current practice.",
    "Costs remain to be studied.",
    "Whether this holds elsewhere is open.",
)
