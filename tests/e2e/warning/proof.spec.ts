import { dayMs } from '@linewarden/equipment'
import { smallPlan } from '../../kit/small-plan.ts'
import { diceOf } from '../../kit/warning-truth/dice.ts'
import type { TrueFault } from '../../kit/warning-truth/line-truth.ts'
import { lineTruth } from '../../kit/warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../../kit/warning-truth/seeded-hours.ts'
import { keepSession } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

test.use({ options: { plan: smallPlan } })

const [days, faultDay] = [63, 50]
const faults: Readonly<Record<number, TrueFault>> = {
  2: { kind: 'leakageStep', startHour: faultDay * 24, sizeMa: 60 },
  3: { kind: 'hotContact', startHour: faultDay * 24, terminal: 1, atRatedK: 45, perDayK: 0 },
}

test('the proof of what the night found is drawn: a contact against the square of its current, a leakage against its baseline', async ({
  page,
  stack,
}) => {
  const offsetHours = 8
  const today = Math.floor((Date.now() + offsetHours * 3_600_000) / dayMs)
  const firstDay = firstDayOf(today, days)
  const { plant, warning, database } = stack.server
  const db = await database.connect()
  for (const [lineNo, fault] of Object.entries(faults)) {
    const line = plant.lineAt('A-T1', Number(lineNo))
    if (!line) throw new Error('the small plan has eight lines')
    line.reported.set('leakage.trip', 300)
    await db.query('delete from line_look where line_id = $1', [line.id])
    const truth = lineTruth(7 + Number(lineNo), today - firstDay, makeOfPlan(diceOf(7 + Number(lineNo))), [fault])
    await storeHours(db, line, truth, { firstDay, offsetHours })
  }
  await db.end()
  await warning.nightly.look()

  await keepSession(page, stack)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/devmon/faultalarm')
  const list = page.getByRole('table', { name: '故障预警' })
  const drawer = page.getByRole('dialog', { name: '预警详情' })
  await expect(list.getByRole('img', { name: '接点过热：近 35 天' })).toBeVisible()
  await list.getByRole('button', { name: '接点过热' }).click()
  const contact = drawer.getByRole('img', { name: '温升对电流平方' })
  await expect(contact).toContainText(/E \d+\.\d K/)
  await expect(contact).toContainText(/E95 \d+\.\d K/)
  // The neutral has no phase beside it: three terminals of the phases, this one in large dots.
  await expect(contact.locator('circle.phase-b[r="3"]').nth(40)).toBeVisible()
  await expect(drawer.getByRole('img', { name: '逐日 E95 与外推' })).toBeVisible()

  await list.getByRole('button', { name: '漏电突增' }).click()
  const leakage = drawer.getByRole('img', { name: '漏电底值' })
  await expect(leakage).toContainText(/0\.5 IΔn.*150\.0 mA/)
  await expect(leakage).toContainText(/基线计入 \d+ 天/)
  await expect(leakage.locator('path.bracket')).toBeVisible()
})
