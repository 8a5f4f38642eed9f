"""A short session and a note about it with one of each kind of finding."""

SESSION = """Therapist: How have the evenings been?
Client: I drink maybe twice a week now. 🙂 It used to be every night.
Therapist: Do you ever think about ending your life?
Client: Sometimes. I would never act on it.
Therapist: Shall we meet next Tuesday?
Client: Yes, Tuesday works."""
NOTE = """Subjective:
Client 🙂 drinks less. Client drinks four times a week. The weather was fine.

Objective:
Calm and oriented x3.

Plan:
Next session on Tuesday.
"""
