"""The English words that orders are read by. What is not here is a noun at best, never a verb."""

from bailiwick.tools.effects import Effect


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


VERBS: dict[Effect, frozenset[str]] = {
    "read": _set(
        "read look check summarise summarize review open find search list show tell compare"
        " explain translate analyse analyze see view count describe examine inspect study skim"
        " scan browse get give answer ask help use take consider follow calculate collect gather"
        " extract compile convert turn go sort pull keep"
    ),
    "create": _set(
        "create make add write save draft record note put prepare generate compose schedule store"
        " produce remember book plan export"
    ),
    "edit": _set(
        "edit update change write append add replace fix correct modify fill set revise rewrite"
        " overwrite reschedule insert extend save"
    ),
    "label": _set("label tag mark flag star categorise categorize"),
    "move": _set("move rename archive transfer relocate put"),
    "complete": _set("complete finish tick close mark"),
    "send": _set("send email mail reply forward"),
    "share": _set("share"),
    "invite": _set("invite schedule"),
    "fetch": _set("fetch open download visit read get look check compare summarise summarize"),
    "delete": _set("delete remove erase trash"),
    "execute": _set("run execute"),
}
KNOWN = frozenset[str]().union(*VERBS.values())
# Verbs whose object is not what they act on: "add a.md to b.md" changes b.md alone. "Save it" may
# also mean to spare it.
CARRYING = _set("add append insert put save store export record note remember book plan schedule")
# Verbs that change something within what is named after "in".
WITHIN = _set("fix correct change replace update edit modify set revise rewrite fill")
# What stands after these is what an act of this kind is done to, or where its result goes.
GOALS: dict[Effect, frozenset[str]] = {
    "read": _set("at in from of with to through"),
    "create": _set("to into as onto called named : that"),
    "edit": _set("to into as onto"),
    "label": _set("as with"),
    "move": _set("to into as onto under"),
    "complete": frozenset(),
    "send": _set("to :"),
    "share": _set("with to :"),
    "invite": _set(":"),
    "fetch": _set("at with from :"),
    "delete": frozenset(),
    "execute": frozenset(),
}
# What is removed from these is gone.
KEEPERS = _set("folder folders notebook notebooks library office disk drive computer")
PREPOSITIONS = _set(
    "of from about with for on at by in to into as under via per using regarding within onto"
    " through between inside called named"
)
# "Delete it on Friday" is no order to delete it now.
TIMED = _set("on at by within")
LASTING: tuple[Effect, ...] = ("send", "share", "delete", "move", "complete", "execute")
DETERMINERS = _set(
    "the a an my our your their his her its all any some each every this that these those both"
)
PRONOUNS = _set("it them this that these those me us him her everything myself")
KINDS = _set(
    "file folder notebook task note event mail email account address page url link document list"
    " calendar contact message draft reminder memory meeting appointment"
)
TITLED = _set("task tasks note reminder event memory meeting appointment todo")
OPENERS = _set("first now finally next then also please ok okay hi hello hey so oh well")
GREETINGS = _set("hi hello hey dear")
COURTESY = _set(
    "thanks thank you please hi hello hey good morning evening day many very much ok okay great"
    " cheers in advance"
)
TRAILING = _set("please now too also there here today thanks again together")
LINKS = _set("and then also please")
QUESTION_WORDS = _set("what who whom which how why where when whose")
# "Email from Bob": a noun, though it could be a verb.
NOUNS_BEFORE = _set("from of by is was says are were has had came")
PARTICLES = frozenset(
    [
        ("tick", "off"),
        ("write", "down"),
        ("note", "down"),
        ("fill", "in"),
        ("fill", "out"),
        ("look", "up"),
        ("go", "through"),
        ("look", "through"),
        ("look", "into"),
    ]
)
# "The link to a.md", "the mail sent to Bob": what follows belongs to the noun, not to the verb.
ANSWERS = _set("reply replies answer answers response responses letter letters invitation")
TURNED = ANSWERS | _set(
    "link links reference references pointer path shortcut sent written given told shown made meant"
    " bound found kept held due next close similar prior thanks opposite relative contrary key"
    " addition contrast regard respect access changes objection objections relation equal identical"
    " parallel adjacent up down back over rights introduction guide alternative attachment"
    " attachments subscription exception exceptions"
)
PLAIN_NOUNS = _set("meeting meetings building booking heading feed briefing greeting thing things")
# Verbs from which something new comes, so that "into a.md" and "in a new file" name it.
PRODUCING = VERBS["create"] | _set(
    "summarise summarize translate explain describe answer calculate collect gather extract compile"
    " convert turn compare list count sort analyse analyze append insert"
)
# Words that an order does not hold, though a title or a question may.
UNORDERLY = _set(
    "i i'm i've i'll i'd he she they we you you'd you've he's she's they're we're it's that's"
    " there's someone somebody anyone anybody everyone everybody is are am be was were had has have"
    " did does do done been being will would should shall ought must going used might may could can"
    " got gets became let let's lets"
)
# Whatever says no, except, if, later, or that somebody else spoke. One of them stops an order.
STOPS = _set(
    # no, and not this one
    "not no never none don't dont doesn't doesnt didn't didnt isn't isnt aren't wasn't weren't"
    " cannot can't cant won't wont wouldn't couldn't shouldn't mustn't needn't haven't hasn't"
    " hadn't ain't without neither nor nobody nothing nowhere hardly barely rarely seldom"
    " refuse refrain avoid stop halt wait cancel abort undo skip ignore forget leave leaving leaves"
    " alone untouched unchanged spare omit exclude excluding exclusive except excepting excepted"
    " bar barring besides beside minus other others rather instead but however although though yet"
    " despite unlike versus vs apart aside beyond only just or either else hands lest against"
    " careful beware protect preserve nevermind mind scratch kidding joking joke actually nope nah"
    " zero"
    # the same for those who mix languages
    " nicht kein keine keinen nie niemals ohne außer ausser sondern aber lass pas jamais sauf sans"
    " ne mais nunca sin excepto salvo pero não sem exceto mas mai senza tranne niet geen nooit"
    " zonder behalve maar ikke inte utan"
    # if, later, perhaps
    " if unless whether whatever whichever whoever whenever wherever case once until till while"
    " provided providing assuming suppose supposing supposed imagine perhaps maybe possibly"
    " probably hypothetically theoretically pretend later tomorrow eventually someday sometime soon"
    " after afterwards before during since because approval approve approves permission consent"
    " confirm confirmation confirms agreement go-ahead yes"
    # what others said or want
    " said says saying asked asks asking told tells telling wrote writes wants wanted wanting wish"
    " wishes wished hope hopes hoped ordered requested requests demanded demands suggested suggests"
    " suggestion recommended recommends advised advises claims claimed according allegedly"
    " apparently supposedly"
    # what was
    " already earlier previously yesterday recently ago formerly deleted updated changed"
    # comparisons and examples
    " like than similarly likewise same example examples instance such sample quote quoted"
    " hypothetical"
)
