"""The wordings by which a request is understood, kind by kind.

Each is about form: no name, place or topic stands here. The first kind that fits is meant.
"""

import re
from enum import StrEnum


class RequestKind(StrEnum):
    """What can be asked."""

    READ = "read"
    LIST = "list"
    SEARCH = "search"
    SUMMARISE = "summarise"
    DRAFT = "draft"
    SAVE = "save"
    EDIT = "edit"
    MOVE = "move"
    FILE_AWAY = "file away"
    ADD_TASK = "add a task"
    FINISH_TASK = "finish a task"
    CHANGE_TASK = "change a task"
    REMEMBER = "remember"
    RECALL = "recall"
    ASK = "ask"
    MOOD = "mood"
    FACTS = "facts"
    SEND = "send"
    ANSWER_MAIL = "answer mails"
    DELETE = "delete"
    GREET = "greet"
    OTHER = "other"


_THING = (
    r"(?:files?|papers?|documents?|docs?|scans?|inbox|letters?|pdfs?|attachments?|uploads?|desk|"
    r"pile)"
)
_TASK = r"(?:tasks?|to-?\s?dos?|to-do list|reminders?|action items?)"
_WRITE = (
    r"(?:write|draft|compose|prepare|make|create|produce|formulate|generate|put together|type up)"
)
_SHOW = (
    r"(?:list|show|give|tell|display|see|view|print|enumerate|what(?:'s| is| are| do)?|which|"
    r"are there|do i have|any)"
)
_TEXTS = (
    r"(?:reply|replies|answer|response|letters?|e-?mails?|mails?|message|report|minutes|memo|"
    r"invitation|thank[- ]you|apology|protocol|briefing|note to|status update|announcement)"
)

_WORDINGS: tuple[tuple[RequestKind, tuple[str, ...]], ...] = (
    (
        RequestKind.RECALL,
        (
            (
                r"\b(?:do|can|did|what|anything|everything|"
                r"all)\b.{0,30}\byou (?:still )?(?:remember|recall|memori[sz]ed)"
            ),
            r"^(?:recall|recollect)\b",
            (
                r"\b(?:in|from|search|check|look in(?:to)?|consult) (?:your |my |the )?memor(?:y|"
                r"ies)\b"
            ),
            r"\bwhat (?:have|did) i t(?:old|ell) you\b",
            r"\b(?:list|show).{0,20}\bmemories\b",
        ),
    ),
    (
        RequestKind.REMEMBER,
        (
            (
                r"^(?:please |also |and )*(?:remember|memori[sz]e|keep in mind|bear in mind|"
                r"never forget|do not forget|don't forget|make a (?:mental )?note that|note that|"
                r"note for later|for future reference|take note)\b(?! to\b)"
            ),
            (
                r"\b(?:save|store|add|put|commit|keep)\b.{0,80}\b(?:to|in|into) (?:your |my |"
                r"the |long-term )?memory\b"
            ),
        ),
    ),
    (
        RequestKind.CHANGE_TASK,
        (
            r"\b(?:postpone|reschedule|push(?: back)?|delay|defer|bring forward)\b",
            (
                rf"\b(?:move|shift|change|update|set)\b.{{0,60}}\b(?:{_TASK}|due(?: date)?|"
                rf"deadline)\b.{{0,60}}\b(?:to|until|till|for)\b"
            ),
        ),
    ),
    (
        RequestKind.FINISH_TASK,
        (
            r"\b(?:mark|tick|check|cross|strike|set)\b.{0,90}\b(?:done|completed?|finished|off)\b",
            rf"\b(?:complete|close|finish)\b.{{0,20}}\b{_TASK}\b",
            (
                r"^(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |already )?(?:finished|done|"
                r"completed|did)\b"
            ),
            r"\bis (?:done|finished|completed) now\b",
        ),
    ),
    (
        RequestKind.ADD_TASK,
        (
            r"\bremind (?:me|us)\b",
            r"\bnote to (?:self|myself)\b",
            r"\bdon't let me forget\b",
            (
                rf"\b(?:create|add|make|put|set up|new|open|schedule|turn|extract|pull out|note|"
                rf"record|write)\b.{{0,160}}\b{_TASK}\b"
            ),
            r"\b(?:add|put)\b.{1,120}\b(?:to|on)\b (?:my|the|our) (?:list|agenda|plan)\b",
            rf"^{_TASK}\s*:",
        ),
    ),
    (
        RequestKind.LIST,
        (
            rf"\b{_SHOW}\b.{{0,60}}\b{_TASK}\b",
            r"\bwhat\b.{0,30}\b(?:due|to do|left to do|on my (?:list|plate))\b",
            r"\boverdue\b",
            r"\bwhat should (?:i|we) do\b",
        ),
    ),
    (
        RequestKind.FILE_AWAY,
        (
            (
                rf"^(?:please |now |also )*(?:file|sort|organi[sz]e|tidy|triage|declutter|"
                rf"arrange|clear|re-?file)\b.{{0,60}}\b(?:{_THING}|up|away|everything|it|them|"
                rf"these|this)\b"
            ),
            (
                r"\b(?:put|move|file)\b.{0,60}\b(?:where (?:it|they|each|everything) belongs?|"
                r"away|(?:right|best|proper|fitting|matching|correct|suitable|"
                r"appropriate) (?:folders?|places?))\b"
            ),
            (
                r"\b(?:which|what|a|the|pick|choose|suggest|find)\b.{0,25}\b(?:fitting |right |"
                r"best |suitable )?folders?\b.{0,30}\b(?:for|should|does|fits?|belongs?|goes?)\b"
            ),
            r"\bwhere (?:does|do|should)\b.{0,60}\b(?:belong|go|be filed|live)\b",
            rf"\bclean up\b.{{0,20}}\b{_THING}\b",
            r"\b(?:empty|process|clear out|work through)\b.{0,12}\binbox\b",
        ),
    ),
    (
        RequestKind.MOOD,
        (
            r"\bhow (?:does|do|did)\b.{1,60}\bsound\b",
            r"\b(?:mood|tone|sentiment|emotions?|feelings?|temper)\b",
            r"\bhow (?:angry|happy|upset|satisfied|annoyed|pleased)\b",
            r"\bhow (?:does|do|is|are)\b.{1,40}\bfeel(?:ing)?\b",
        ),
    ),
    (
        RequestKind.ANSWER_MAIL,
        (
            (
                r"^(?:please |then |and |now )*(?:answer|reply to|respond to)\b.{0,40}"
                r"\b(?:e-?mails|mails|messages|inbox)\b(?!.*\b(?:from|about|by)\b)"
            ),
            (
                r"^(?:please |then |and |now )*(?:answer|reply to|respond to)\b.{0,20}"
                r"\b(?:what(?:ever)?|those|everything|everyone)\b.{0,30}"
                r"\b(?:needs?|waits?|wants?|unread|unanswered)\b"
            ),
        ),
    ),
    (
        RequestKind.SEND,
        (r"^(?:please |then |and )*(?:send|e-?mail|mail|forward)\b(?!s)",),
    ),
    (
        RequestKind.SUMMARISE,
        (
            r"\bsummar(?:y|ies|i[sz])",
            r"\bsum(?:s|ming)?\b.{0,40}\bup\b",
            r"\brecap",
            r"\bcondens",
            r"\btl;?dr\b",
            (
                r"\b(?:key|main|most important|essential) (?:points?|findings?|facts?|takeaways?|"
                r"things?)\b"
            ),
            r"\bgist\b",
            r"\bdigest\b",
            r"\boverview\b",
            r"\bboil\b.{0,40}\bdown\b",
            r"\bin (?:brief|short|a nutshell)\b",
            r"\bwhat (?:happened|is new|changed)\b",
            r"^compare\b",
            r"\bbring me up to date\b",
            r"\bcatch me up\b",
            r"\bshorten\b",
        ),
    ),
    (
        RequestKind.DRAFT,
        (
            rf"\b{_WRITE}\b.{{0,60}}\b{_TEXTS}\b",
            r"^(?:please |then |and )*(?:reply|respond|answer|draft)\b(?! the question)",
            r"\bdraft\b",
            r"\bthank\b.{1,40}\bfor\b",
        ),
    ),
    (
        RequestKind.DELETE,
        (
            (
                r"^(?:please |then |and )*(?:delete|remove|erase|trash|bin|throw away|get rid of|"
                r"discard|forget)\b"
            ),
        ),
    ),
    (
        RequestKind.EDIT,
        (
            r"\bappend\b",
            r"\breplace\b.{1,300}\b(?:with|by)\b",
            r"\b(?:add|insert|write)\b.{1,300}\bto (?:the (?:file|note|end)|[\w./-]+\.\w{2,4}\b)",
            r"\b(?:overwrite|update|rewrite)\b.{0,60}\b(?:file|note|document|\.\w{2,4})\b",
        ),
    ),
    (
        RequestKind.MOVE,
        (
            r"^(?:please |then |and )*(?:move|rename|relocate|transfer|archive)\b",
            r"\bput\b.{1,80}\.\w{2,4}\b.{0,20}\b(?:into|in)\b.{1,40}\bfolder\b",
        ),
    ),
    (
        RequestKind.SAVE,
        (
            (
                r"\b(?:create|make|write|save|store|put|record|start|add|new|export|jot|copy|"
                r"duplicate)\b.{0,300}(?:\b(?:files?|notes?|documents?|page|memo)\b|\.(?:md|txt|"
                r"csv|html?|json|ya?ml)\b)"
            ),
            (
                r"^(?:please |then |and )*(?:save|store|write|jot)\b.{0,40}\b(?:it|that|this|"
                r"them|down)\b"
            ),
        ),
    ),
    (
        RequestKind.SEARCH,
        (
            (
                r"^(?:please |can you |could you )*(?:find|search|look for|look up|locate|hunt|"
                r"seek|dig up|where is|where are|where did)\b"
            ),
            (
                r"\bwhich (?:files?|documents?|papers?|notes?|mails?|e-?mails?|"
                r"letters?)\b.{0,20}\b(?:mention|contain|talk|speak|deal|refer|are about|"
                r"is about|name)"
            ),
            r"\banything (?:about|on|mentioning)\b",
        ),
    ),
    (
        RequestKind.LIST,
        (
            r"^(?:please |can you |could you )*(?:list|enumerate)\b",
            (
                rf"\b{_SHOW}\b.{{0,40}}\b(?:files|folders|documents|papers|notes|e-?mails|mails|"
                rf"messages|events|appointments|meetings|items|calendar|notebooks|contents?|"
                rf"agents|tools)\b(?!.{{0,20}}\b(?:say|mean)\b)"
            ),
            (
                r"\bwhat(?:'s| is| are| do (?:i|we) have)?\b.{0,12}\b(?:in|on|"
                r"inside)\b.{0,40}\b(?:inbox|folder|notebook|directory|library|calendar|case|"
                r"agenda)\b"
            ),
            (
                r"\b(?:any|do (?:i|we) have|are there|is there)\b.{0,20}\b(?:mails?|e-?mails?|"
                r"messages?|appointments?|meetings?)\b"
            ),
        ),
    ),
    (
        RequestKind.READ,
        (
            (
                r"^(?:please |can you |could you )*(?:read|open|show|display|view|print|look at|"
                r"look into|have a look at|get|fetch|let me see|pull up)\b"
            ),
            r"\bwhat (?:does|do|did)\b.{1,80}\bsays?\b",
            r"\bwhat(?:'s| is) (?:in|inside)\b",
            r"\bcontents? of\b",
        ),
    ),
    (
        RequestKind.ASK,
        (
            (
                r"^(?:so |and |now )*(?:who|whom|whose|what|when|where|why|how|which|is|are|was|"
                r"were|does|do|did|has|have|had|will|should)\b"
            ),
            (
                r"\b(?:tell me|explain|find out|check|i want to know|"
                r"do you know)\b.{0,20}\b(?:who|what|when|where|why|how|which|whether|if|about)\b"
            ),
            r"\?\s*$",
        ),
    ),
    (
        RequestKind.GREET,
        (
            (
                r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|thanks?|thank you|help|"
                r"who are you|what can you do|how do you work)\b[^.]{0,40}$"
            ),
        ),
    ),
)
RULES = tuple(
    (kind, re.compile("|".join(wordings), re.IGNORECASE | re.DOTALL))
    for kind, wordings in _WORDINGS
)
