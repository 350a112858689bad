import type { Locator, Page } from '@playwright/test'
import { violationsInBothThemes } from '../axe.ts'
import { openTab } from '../drawer-tab.ts'
import { enter } from '../sign-in.ts'
import { expect, test } from '../stack.ts'

type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

const someLine = ({ server }: Stack) => {
  const line = [...server.plant.lines.values()].find(({ name }) => name === '1层照明一')
  if (!line) throw new Error('the plant has no line')
  return line
}

/** An overcurrent of ten minutes ago, as ingest stores it, with the readings around it: 20 s of them never came. */
async function overcurrent(stack: Stack): Promise<void> {
  const line = someLine(stack)
  const slot = (key: string) => line.device.family.points.find((point) => point.key === key)?.slot
  const at = Date.now() - 600_000
  const db = await stack.server.database.connect()
  await db.query('delete from event; delete from evidence')
  await db.query(
    `insert into event (kind, priority, key, label_zh, label_en, point, value, limit_value, unit, state, project_id, gateway_id, line_id,
       raised_at, stored_at, announced)
     values ('alarm', 'high', 'current.alarm', '过流报警', 'Overcurrent alarm', 'current.a', 71, 63, 'A', 'active', $1, $2, $3, $4, $4, 1)`,
    [line.device.gateway.project.id, line.device.gateway.id, line.id, new Date(at)],
  )
  const seconds = Array.from({ length: 120 }, (_, index) => index - 60).filter((each) => each < 20 || each >= 40)
  await db.query(
    `insert into reading (line_id, at, received_at, quality, v${slot('current.a')}, v${slot('voltage.a')}, v${slot('residual')})
     select $1, at, at, 0, amperes, 221, 8 from unnest($2::timestamptz[], $3::real[]) as given (at, amperes)`,
    [line.id, seconds.map((each) => new Date(at + each * 1_000)), seconds.map((each) => (each < 0 ? 41 + Math.sin(each) : 71))],
  )
  await db.end()
}

const evidence = (page: Page): Locator => page.getByRole('region', { name: '证据' })

test('the minutes around an alarm are drawn: values against the limit, the gap, positions and orders', async ({
  page,
  stack,
}) => {
  await overcurrent(stack)
  await enter(page, stack)
  await page.getByRole('row', { name: '1层照明一' }).click()
  await openTab(page.getByRole('dialog', { name: '1层照明一' }), '事件')
  await page.getByRole('button', { name: /^证据 过流报警/ }).click()
  const charts = evidence(page).getByRole('img')
  await expect(charts.first()).toHaveAccessibleName('电流，报警前后各 60 秒')
  await expect(charts.first().getByText('过流报警')).toBeVisible()
  await expect(charts.first().locator('rect')).toHaveCount(1)
  // Of the twenty seconds that never came nothing is drawn: the trace ends, is hatched over, and begins again where readings do.
  const { gap, ends } = await charts.first().evaluate((chart) => {
    const { x, width } = chart.querySelector('rect') ?? { x: null, width: null }
    const [from, wide] = [x?.baseVal.value ?? 0, width?.baseVal.value ?? 0]
    const secondAt = (place: number) => ((place - 44) / (chart.getBoundingClientRect().width - 44 - 8)) * 120 - 60
    const stretches = chart.querySelector('path.trace')?.getAttribute('d')?.split('M').slice(1) ?? []
    const placesOf = (stretch: string) =>
      [...stretch.matchAll(/(?:^|[HL])(-?[\d.]+)/g)].map(([, place]) => secondAt(Number(place)))
    return { gap: [from, from + wide].map(secondAt), ends: stretches.map(placesOf).map((all) => [all.at(0), all.at(-1)]) }
  })
  expect(gap).toEqual([expect.closeTo(19, 0), expect.closeTo(40, 0)])
  expect(ends).toEqual([
    [expect.closeTo(-60, 0), expect.closeTo(19, 0)],
    [expect.closeTo(40, 0), expect.closeTo(59, 0)],
  ])
  await expect(evidence(page).getByText('这两分钟内没有操作命令。')).toBeVisible()
  await expect(evidence(page).getByText('上级', { exact: true })).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
})
