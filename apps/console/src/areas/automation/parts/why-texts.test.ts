import { lineOutcomes, missedReasons, runSkipReasons, runStates } from '@linewarden/rules/automation'
import { expect, test } from 'vitest'
import { automation } from './texts.ts'
import { runWhy } from './why-texts.ts'

test.each(['zh', 'en'] as const)('every reason, outcome and state that the rules know has its words: %s', (language) => {
  const { whys, outcomes } = runWhy[language]
  const keysOf = (texts: Readonly<Record<string, string>>) => Object.entries(texts).flatMap(([key, text]) => (text ? [key] : []))
  expect(keysOf(whys)).toEqual(
    expect.arrayContaining([...missedReasons, ...runSkipReasons, 'stillWanted', 'sceneMissing', 'sceneDisabled']),
  )
  expect(keysOf(outcomes)).toEqual([...lineOutcomes])
  expect(keysOf(automation[language].runStates)).toEqual(expect.arrayContaining([...runStates]))
})
