import { hourMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { proofWords } from './export-words.ts'

const proof = { State: 'running', HaveMs: 18.9 * hourMs, NeedMs: 72 * hourMs, Missing: null } as const

test('while it is proved a file says what is missing, and only where nothing is, the hours', () => {
  expect(proofWords(proof)).toEqual({ zh: '验证中 18/72 h', en: 'Verifying 18/72 h' })
  expect(proofWords({ ...proof, Missing: 'return' })).toEqual({ zh: '报警未恢复', en: 'The alarm is still there' })
})

test('what cannot be proved says so and no hours', () => {
  const { zh } = proofWords({ ...proof, State: 'noData', Missing: 'data' })
  expect(zh).toBe('无法验证：没有数据')
})
