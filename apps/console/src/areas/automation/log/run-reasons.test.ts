import type { RunEntry } from '@linewarden/contract'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { automation } from '../parts/texts.ts'
import { runWhy } from '../parts/why-texts.ts'
import { countsBeside } from './run-reasons.ts'

beforeAll(async () => {
  await i18next.init({ lng: 'zh', resources: { zh: { automation: automation.zh, runWhy: runWhy.zh } } })
})

const none = {
  ...{ Total: 4, Verified: 0, Already: 0, UnderWay: 0, Waiting: 0, Refused: 0, Failed: 0, Unknown: 0 },
  ...{ Missed: 0, Skipped: 0, Stopped: 0 },
}
const beside = (State: RunEntry['State'], counts: Partial<RunEntry['Counts']>) =>
  countsBeside({ State, Counts: { ...none, ...counts } })

test.each([
  ['done', { Verified: 4 }, ''],
  ['done', { Verified: 3, Already: 1 }, '3 路 · 原已如此 1'],
  ['done', { Already: 4 }, '原已如此 4'],
  ['refused', { Refused: 4 }, ''],
  ['stopped', { Verified: 1, Stopped: 3 }, '3 路 · 完成 1'],
  ['partly', { Verified: 3, Refused: 1 }, '完成 3 · 被拒绝 1'],
] as const)('beside the word of how a run ended, %s, that word is not said again: %o', (state, counts, text) => {
  expect(beside(state, counts)).toBe(text)
})
