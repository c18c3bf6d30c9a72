// The input that sections 1 and 2 share, and who wants to know when it changes.

import { follow, random, sample, sizesOf } from "./funccomp.mjs";

const below = random(7);
const listeners = [];
export const state = { instance: sample(sizesOf(3, [2]), below), hop: 0 };

export function watch(listener) {
  listeners.push(listener);
  listener();
}
export function changed() {
  for (const listener of listeners) listener();
}
export function newSizes(L, m) {
  setInstance(sample(sizesOf(m, Array(L - 1).fill(2)), below));
}
export function newInput() {
  setInstance(sample(state.instance.sizes, below));
}
export function setInstance(instance) {
  state.instance = instance;
  state.hop = 0;
  changed();
}
export const hopsNow = () => follow(state.instance);
