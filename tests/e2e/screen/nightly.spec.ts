import { smallPlan } from '../../kit/small-plan.ts'
import { test } from '../on-weak-network.ts'
import { expect, forgive } from '../stack.ts'

/** By how much the server's clock is ahead. */
let aheadMs = 0
test.use({ options: { plan: smallPlan, clock: () => Date.now() + aheadMs } })

const minuteMs = 60_000
/** Until it is so late in Shanghai. */
const until = (clock: string) => {
  const now = Date.now() + aheadMs
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short' }).format(now)
  const at = Date.parse(`${day}T${clock}+08:00`)
  return (at > now ? at : at + 1_440 * minuteMs) - now
}

test('W16: a calm wall is loaded anew at about ten past four by the clock of its project', async ({
  page,
  network,
  problems,
}) => {
  await page.goto(`${network.url}/bigScreen/detail/B-T1`)
  await expect(page.getByRole('heading', { name: /^B线1/ })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  aheadMs += until('04:31:00')
  await expect.poll(() => page.evaluate(() => 'isSamePage' in window).catch(() => true), { timeout: 40_000 }).toBe(false)
  // The session is as old as the clock was moved: whoever stands there signs in once more.
  forgive(problems, /401/)
})
