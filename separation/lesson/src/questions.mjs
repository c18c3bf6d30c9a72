// Ten questions along the way; every answer, right or wrong, is explained.

import { fresh, h, replace } from "./dom.mjs";

const QUESTIONS = {
  task: [
    {
      ask: "Why do the tables stand in reverse order, the last one first?",
      options: [
        "So that later tokens are nearer",
        "So that no table can look ahead to what will be asked of it",
        "It makes no difference",
      ],
      right: 1,
      why: "A causal token sees only what stands before it. Table 2’s tokens come before table 1, so they cannot know where they will be asked, and the work has to be done one table at a time.",
    },
  ],
  layers: [
    {
      ask: "The tables have N^N possible contents. Why is checking a layer once enough for all of them?",
      options: [
        "Because keys depend on positions, not on what tables say",
        "Because random tables are representative",
        "Because the weights are small",
      ],
      right: 0,
      why: "Where attention goes depends on query and keys, and these spell addresses. What a table says is only carried along. So there are as many cases as there are addresses, not as there are tables.",
    },
    {
      ask: "You lower the temperature τ a little. The answer on the board is still right. Is the model still proved?",
      options: ["Yes, the answer is right", "Not necessarily: the proof is about the worst table, the board of one"],
      right: 1,
      why: "The leak depends on what the other entries say. On your board they may cancel; in the worst table they all push the same way. That is what the invariant has to survive.",
    },
  ],
  checker: [
    {
      ask: "A certificate claims a margin of 2, and the proof gives 3. What should a kernel say?",
      options: ["Reject: the numbers differ", "Accept: it claims no more than what is proved"],
      right: 1,
      why: "A certificate may claim less than the truth, never more. The kernel computes the margin again, and compares.",
    },
  ],
  players: [
    {
      ask: "Why can a recurrent message not help with a question that comes later?",
      options: [
        "It has too few bits",
        "It is sent before anybody knows the question, and is the same for all of them",
        "It is rounded",
      ],
      right: 1,
      why: "The state at a boundary is a function of the tokens before it. With few bits it must forget most of a table, and it cannot know which part will be asked. A soft message answers the asker.",
    },
  ],
  fewer: [
    {
      ask: "The set of look-alike inputs shrinks at each level. Why does the argument survive?",
      options: [
        "Because tables are so many: after fixing all messages, many are still left",
        "Because messages are random",
      ],
      right: 0,
      why: "There are N^N tables, and the messages have far fewer bits. Fixing D bits costs at most a factor 2^D. The sizes are chosen so that more is left than can agree on every entry that is asked.",
    },
    {
      ask: "A state has 12 bits. About how many random tables until two of them end in the same state?",
      options: ["About 4096", "About 64", "About 12"],
      right: 1,
      why: "The birthday paradox: among 2^(s/2) = 64 tables there are about 2000 pairs, and each pair agrees with chance 1 in 4096. With twice as many tables you will usually have one.",
    },
  ],
  hierarchy: [
    {
      ask: "Which word follows more tables: RFFF or FFFR?",
      options: ["RFFF", "FFFR", "Both the same"],
      right: 0,
      why: "RFFF has depth 3: its R stands before the second F and hands the start on, so that no full layer is spent on it. In FFFR the R comes too late: depth 2.",
    },
  ],
  twosum: [
    {
      ask: "A stronger scorer opens better blocks. Does that get around the bound?",
      options: [
        "Yes, if it is strong enough",
        "No: both prompts look the same to any scorer, so it opens the same blocks in both",
      ],
      right: 1,
      why: "The scorer sees summaries. They are equal in both prompts, so its choice is too. The swap is made in a block that it did not open.",
    },
  ],
  tree: [
    {
      ask: "A check refuses all of its broken twins. Does that prove the statement?",
      options: ["Yes", "No, but a check that accepts a twin proves nothing"],
      right: 1,
      why: "Twins test the check, not the statement. What establishes the statement is the check itself, for the sizes it covers; twins show that it can fail.",
    },
  ],
};
export function questionsOf(section) {
  return (QUESTIONS[section] ?? []).map(({ ask, options, right, why }) => {
    const explained = h("p", { class: "why", role: "status" }),
      id = fresh("ask");
    const buttons = options.map((text, k) =>
      h(
        "button",
        {
          type: "button",
          onclick: (event) => {
            buttons.forEach((each) => each.classList.remove("right", "wrong"));
            event.currentTarget.classList.add(k === right ? "right" : "wrong");
            replace(
              explained,
              h("strong", { class: k === right ? "yes" : "no" }, k === right ? "Yes. " : "Not quite. "),
              why,
            );
          },
        },
        text,
      ),
    );
    return h(
      "div",
      { class: "question", role: "group", "aria-labelledby": id },
      h("p", { class: "ask", id }, ask),
      h("div", { class: "options" }, buttons),
      explained,
    );
  });
}
