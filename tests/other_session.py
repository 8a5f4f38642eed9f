"""A second session and its note, invented like the sample case, of another client with other troubles."""

from __future__ import annotations

SESSION = """\
Therapist: Good morning, Wanda. How did the allotment committee go on Thursday?
Client: Badly. I got as far as the gate and my knees went. I sat in the van until it was over.
Therapist: You sat in the van. What was going on in your body?
Client: Heart pounding, hands tingling, I thought I'd faint in front of Mr Quarshie and the whole lot of them.
Therapist: And the thought that came with it?
Client: That they'd see me shake and say I can't run the seed swap any more, now that Harold's gone.
Therapist: It's a year since Harold died, isn't it?
Client: Fourteen months. He did all the talking. I did the beans and the greenhouse, and nobody looked at me.
Therapist: So he stood between you and the committee.
Client: He did. I still set out two mugs, every morning. Silly, isn't it.
Therapist: It doesn't sound silly to me. Did you try the ladder we drew, the small steps?
Client: I did the first rung. I rang the garden centre and asked about compost, out loud, and I didn't hang up.
Therapist: You rang them. How high was the fear before, and after?
Client: Seventy before. Thirty after. The lad was kind, he gave me a discount on the peat.
Therapist: That is exactly what we hoped to find out. What could be the second rung?
Client: Returning the library books to the desk and not through the slot.
Therapist: The library desk, then. And the propranolol that your surgery gave you?
Client: I don't take it. It makes me dizzy on the bicycle.
Therapist: Would you talk about that with the nurse before we meet again in a fortnight?
Client: I will. And I'd like to read something for Harold at the harvest supper, if I can manage it.
"""

NOTE = """\
Subjective
Client could not attend the allotment committee on Thursday and stayed in her van with a pounding heart and \
tingling hands. She feared fainting in front of Mr Quarshie and being told that she cannot run the seed swap. \
Harold, her husband, died fourteen months ago; he used to speak for both of them while she looked after the \
greenhouse. She still sets out two mugs each morning. She does not take the propranolol because it makes her \
dizzy on the bicycle.

Objective
Tearful when speaking of her husband. She reported ringing the garden centre about compost; fear fell from 70 to 30.

Assessment
Fear of being seen to shake keeps her from meetings, and grief for Harold sustains it. The first rung of the ladder \
succeeded.

Plan
She will return the library books at the desk rather than through the slot. She will speak with the nurse about the \
propranolol. She hopes to read something for Harold at the harvest supper. Next session in a fortnight.
"""
