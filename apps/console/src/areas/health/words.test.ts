import { maxHealthCheckLines } from '@linewarden/contract'
import { healthMends } from '@linewarden/rules/health'
import { expect, test } from 'vitest'
import { mainCosts, mean, mendPath, signed, whyNothing } from './words.ts'

test('figures carry their sign, and what is not known is a dash', () => {
  expect([signed(4), signed(-26), signed(0), mean(90.44), mean(100), mean(null)]).toEqual(['+4', '−26', '0', '90.4', '100', '–'])
})

test('the dearest three deductions stand for a line', () => {
  const item = (zh: string, Deduct: number) => ({ Text: { zh, en: zh }, Deduct }) as never
  expect(mainCosts({ Items: [item('甲', 2), item('乙', 15), item('丙', 8), item('丁', 4)] }, ({ zh }) => zh, '，')).toBe(
    '乙 −15，丙 −8，丁 −4',
  )
})

test('each deduction leads to a page of its line', () => {
  for (const mend of healthMends) expect(mendPath(mend, 3, 17)).toMatch(/^\/[a-z]+\/\w+\?at=(line:3:17|house:3&line=17)/i)
})

test('a check that came to nothing says why: of more lines than one takes it was never made', () => {
  const why = (State: 'running' | 'done' | 'cancelled' | 'failed', Lines = maxHealthCheckLines) => whyNothing({ State, Lines })
  expect([why('running'), why('done'), why('cancelled'), why('failed')]).toEqual([null, null, 'cancelled', 'failed'])
  expect(why('failed', maxHealthCheckLines + 1)).toBe('tooLarge')
})
