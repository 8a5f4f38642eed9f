"""Example sentences, written for this product, near which sentences of a kind lie in the encoder's space.

``NOTE`` has, per rubric item, what a note would say, and under ``aside-*`` what notes often say that no item asks for.
``SESSION`` has, per rubric item, what is said in a session when it comes up. Only their vectors ship, with the heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NOTE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "subjective-chief-complaint": (
            "Client came to therapy because of problem drinking.",
            "Patient is here today to talk about quitting smoking.",
            "Client was referred by the court for treatment.",
            "Client seeks help with anxiety at work.",
            "Patient presents for concerns about weight and diet.",
        ),
        "subjective-symptoms": (
            "Client reports feeling anxious and overwhelmed most days.",
            "She says she feels sad, tired and hopeless.",
            "He drinks six beers every night.",
            "Client states that he is frustrated and does not see his use as a problem.",
            "Patient rates her stress as an eight out of ten.",
            "He worries about losing his job.",
        ),
        "subjective-history": (
            "Client has a history of depression.",
            "Patient was hospitalised two years ago.",
            "He started smoking at age fifteen and quit once before.",
            "She has been married for ten years and has two children.",
            "Client previously attended therapy.",
            "Family history of alcoholism.",
        ),
        "subjective-goals": (
            "Client wants to stop drinking.",
            "She hopes to improve her relationship with her family.",
            "His goal is to lose weight and feel healthier.",
            "Client would like to find better ways to cope.",
        ),
        "subjective-homework": (
            "Client completed the thought log assigned last session.",
            "He did not do his homework from the previous session.",
            "Patient kept her drinking diary during the week as agreed.",
        ),
        "subjective-quotes": (
            'Client stated, "I just can\'t do this anymore."',
            'He said "it helps me relax".',
            '"I feel like nobody listens to me," she said.',
        ),
        "objective-behavior": (
            "Client was engaged and cooperative during the session.",
            "Patient appeared anxious and fidgeted in the chair.",
            "Client was tearful when speaking about her mother.",
            "He appeared guarded at first and relaxed as the session went on.",
            "Client seemed defensive and frustrated.",
        ),
        "objective-mental-status": (
            "Alert and oriented to person, place and time.",
            "Speech was clear and coherent with normal rate and tone.",
            "Mood was depressed with congruent affect.",
            "Thought process was linear and logical.",
            "Client maintained good eye contact and was dressed appropriately.",
            "Insight and judgment were fair.",
        ),
        "objective-assessment-tools": (
            "PHQ-9 score was 14.",
            "Client completed the AUDIT questionnaire.",
            "On a scale of 0 to 10 client rated confidence as 7.",
            "GAD-7 administered; result indicates moderate anxiety.",
        ),
        "objective-therapy-activities": (
            "Therapist and client practised deep breathing in session.",
            "Client completed a values card sort during the session.",
            "Role played a difficult conversation.",
            "Reviewed pros and cons of change together.",
        ),
        "objective-interventions": (
            "Therapist used motivational interviewing and reflective listening.",
            "Clinician provided psychoeducation on the effects of alcohol.",
            "Cognitive restructuring was used to challenge negative thoughts.",
            "Counselor asked open-ended questions and gave affirmations.",
        ),
        "assessment-diagnosis": (
            "Client meets criteria for alcohol use disorder.",
            "Symptoms are consistent with generalized anxiety disorder.",
            "Diagnosis: major depressive disorder, moderate.",
        ),
        "assessment-triggers": (
            "Stress at work triggers the client's drinking.",
            "Being around friends who smoke sets off cravings.",
            "Conflict with his wife is a trigger for his anger.",
        ),
        "assessment-progress": (
            "Client has made progress toward the goal of drinking less.",
            "He has reduced his smoking since the last session.",
            "She is working on her goals and shows improvement.",
        ),
        "assessment-analysis": (
            "The client's drinking appears to be a way of coping with stress.",
            "The client's ambivalence suggests a conflict between health and pleasure.",
            "Client's presentation indicates low motivation and lack of insight.",
            "Her low self-esteem may be contributing to her symptoms.",
        ),
        "assessment-response": (
            "Client was receptive to the intervention.",
            "Patient responded well to motivational interviewing.",
            "He was resistant to the therapist's suggestions.",
            "Client was open to the feedback and engaged in planning.",
        ),
        "assessment-overall-progress": (
            "Overall, client is improving over the course of treatment.",
            "Overall progress is good.",
            "Client continues to make steady progress in therapy.",
        ),
        "assessment-goals": (
            "Treatment goal: reduce drinking to two drinks per week within three months.",
            "Client will reduce anxiety score by half in eight weeks.",
            "Treatment goals were revised.",
        ),
        "assessment-stages": (
            "Client is in the contemplation stage of change.",
            "She appears to be in the preparation stage.",
            "He is pre-contemplative about quitting.",
            "Client shows readiness to change.",
        ),
        "plan-interventions": (
            "Therapist will use cognitive behavioral therapy in coming sessions.",
            "Short-term goals include exploring coping strategies for stress.",
            "Long-term goal is to maintain sobriety and improve relationships.",
            "Continue to explore motivation for change.",
            "Provide support and education about healthy habits.",
        ),
        "plan-follow-up": (
            "Next session is scheduled for Tuesday.",
            "Client will return in two weeks.",
            "Refer to a psychiatrist for a medication evaluation.",
            "Follow up weekly.",
        ),
        "plan-adjustment": (
            "Increase the dose of the medication.",
            "Switch from individual to family therapy.",
            "Change the treatment plan to add nicotine patches.",
        ),
        "plan-homework": (
            "Client will keep a drinking diary until next session.",
            "Homework: practise breathing exercises daily.",
            "Client agreed to try going for a walk three times a week.",
            "Client will make a list of pros and cons.",
        ),
        "aside-therapist-told": (
            "Therapist explained to the client how the programme works.",
            "Therapist told the client about the risks of drinking.",
            "Clinician discussed possible options with client.",
            "Therapist asked the client about her week.",
        ),
        "aside-client-told": (
            "Client reports that he lost his job.",
            "Client stated that her friends are all smokers.",
            "He mentioned that his brother moved out.",
        ),
        "aside-logistics": (
            "The client signed the form.",
            "N/A",
            "The session lasted fifty minutes.",
            "Client must attend six months of visits.",
        ),
    }
)

SESSION: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "subjective-chief-complaint": (
            "What brings you here today?",
            "I came because of my drinking.",
            "My doctor said I should talk to someone about this.",
            "I was told I have to come here.",
        ),
        "subjective-symptoms": (
            "I feel anxious all the time.",
            "I can't sleep and I'm tired every day.",
            "I've been feeling really down.",
            "I smoke about a pack a day.",
            "It makes me so angry.",
        ),
        "subjective-history": (
            "I've been doing this since I was fifteen.",
            "I quit once before, about three years ago.",
            "My father was an alcoholic.",
            "I was diagnosed with diabetes a few years ago.",
        ),
        "subjective-goals": (
            "I want to cut down.",
            "I'd like to feel better about myself.",
            "I really want to quit for my kids.",
            "What would you like to get out of this?",
        ),
        "subjective-homework": (
            "Did you get a chance to try what we talked about last time?",
            "I kept the diary like you asked.",
            "I didn't do the homework.",
        ),
        "subjective-quotes": (
            "It's the only thing that helps me relax.",
            "I just can't do this anymore.",
            "I feel like nobody listens to me.",
        ),
        "objective-behavior": (
            "You look upset.",
            "I notice you are smiling when you say that.",
            "You seem nervous today.",
            "You've gone quiet.",
        ),
        "objective-mental-status": (
            "You seem a little distracted today.",
            "Do you know what day it is?",
            "How has your mood been?",
            "You sound very sad when you talk about it.",
        ),
        "objective-assessment-tools": (
            "On a scale from zero to ten, how ready are you?",
            "I see from the questionnaire that you filled in.",
            "I'd say about a six.",
            "Your score on this form is fourteen.",
        ),
        "objective-therapy-activities": (
            "Let's try an exercise together.",
            "Could we make a list of pros and cons?",
            "Pick the cards that matter most to you.",
            "Take a deep breath with me.",
        ),
        "objective-interventions": (
            "So on the one hand you enjoy it, and on the other hand you worry about it.",
            "Is it okay if I share some information with you?",
            "It sounds like this is really important to you.",
            "What are the good things about it for you?",
        ),
        "assessment-diagnosis": (
            "The doctor said I have depression.",
            "These are signs of alcohol dependence.",
            "I was diagnosed with anxiety.",
            "Your results show a problem.",
        ),
        "assessment-triggers": (
            "I drink when I'm stressed at work.",
            "It's worse when I'm around my friends.",
            "After we fight I always end up smoking.",
            "What makes you want to do it?",
        ),
        "assessment-progress": (
            "I've cut down since the last time.",
            "I've gone two weeks without it.",
            "It's been getting better.",
            "I slipped up again.",
        ),
        "assessment-analysis": (
            "Maybe I do it because I'm lonely.",
            "It sounds like drinking is a way of coping for you.",
            "So it seems that you are torn.",
            "I never saw it like that before.",
        ),
        "assessment-response": (
            "That makes sense.",
            "That was helpful, thank you.",
            "I don't think that would work for me.",
            "I never thought about it that way.",
            "I'm willing to give it a try.",
        ),
        "assessment-overall-progress": (
            "You've come a long way since we started.",
            "Looking back over these months, things have changed.",
            "I'm doing a lot better than last year.",
        ),
        "assessment-goals": (
            "So the goal is no more than two drinks a week.",
            "Let's aim for a quit date in three weeks.",
            "I want to lose ten pounds by summer.",
        ),
        "assessment-stages": (
            "I'm not ready to quit yet.",
            "I've been thinking about changing.",
            "I've already started to cut back.",
            "I don't have a problem.",
            "How ready are you to make a change?",
        ),
        "plan-interventions": (
            "Next time we can work on ways to handle the stress.",
            "We could look at some strategies together.",
            "There are patches and gum that can help.",
            "We can talk more about that next time.",
        ),
        "plan-follow-up": (
            "Let's meet again next week.",
            "Could you come back in two weeks?",
            "I can refer you to someone.",
            "I'll give you a call to see how it is going.",
        ),
        "plan-adjustment": (
            "Let's change your dose.",
            "We could switch the medication.",
            "I'd suggest trying a different approach.",
        ),
        "plan-homework": (
            "Try that this week and see how it goes.",
            "I'll go for a walk three times a week.",
            "Write it down every day until we meet.",
            "I'll talk to her tonight.",
        ),
    }
)
