import { tariffProblems } from '@linewarden/rules/energy'
import { expect, test } from 'vitest'
import { ruledTariff } from './tariff-rules.ts'
import { readTariffSheet, tariffTemplate } from './tariff-sheet.ts'

const rowsOf = (lines: readonly (readonly string[])[]) => lines.map((cells, index) => ({ row: index + 1, cells }))

/** The template as somebody fills it in. */
function filled(isChinese: boolean): string[][] {
  return tariffTemplate(isChinese).map((line) => {
    const [kind = '', second = ''] = line
    if (kind === '依据' || kind === 'source') return [kind, '苏发改价格发〔2026〕1018 号']
    if (kind !== '价格' && kind !== 'price') return [...line]
    return [kind, second, ...line.slice(2, 5), ...line.slice(5).map((_, index) => `0.${index + 1}`)]
  })
}

test.each([true, false])('the template in either language, filled in, is a version that can be published', (isChinese) => {
  const { content, problems } = readTariffSheet(rowsOf(filled(isChinese)))
  expect(problems).toEqual([])
  expect(tariffProblems(ruledTariff(content, { id: 0, publishedAt: null }))).toEqual([])
  expect(content.Bands).toEqual(['sharp', 'peak', 'flat', 'valley', 'deepValley'])
  expect(content.Components.map(({ Key, Basis, GovernmentFund }) => [Key, Basis, GovernmentFund])).toEqual([
    ['purchase', 'kwhByBand', false],
    ['network', 'kwh', false],
    ['funds', 'kwh', true],
  ])
  const [season] = content.Seasons
  // A valley over midnight, a peak from eight, and a deep valley on holidays alone.
  expect([season?.Days.workday[0], season?.Days.workday[32], season?.Days.workday[44], season?.Days.holiday[44]]).toEqual([
    '3',
    '1',
    '2',
    '4',
  ])
})

test('the template as it is lacks its source and its prices, each told by its cell', () => {
  const lines = tariffTemplate(true)
  const { problems } = readTariffSheet(rowsOf(lines))
  const source = lines.findIndex(([kind]) => kind === '依据') + 1
  const price = lines.findIndex(([kind]) => kind === '价格') + 1
  expect(problems.map(({ cell }) => cell)).toEqual([
    `B${source}`,
    ...['F', 'G', 'H', 'I', 'J'].map((letter) => `${letter}${price}`),
    ...[`F${price + 1}`, `F${price + 2}`],
  ])
})

test.each([
  [['某行', '1'], 'A1'],
  [['生效日期', '2026/1/1'], 'B1'],
  [['季节', '夏', '6-1', '13'], 'D1'],
  [['时刻', '全部', '00:00', '24:00', '平'], 'A1'],
  [['需量', '最大'], 'B1'],
  [['力调标准', '0.95'], 'B1'],
  [['价格', '代理购电', '按人头', '是', '否', '1'], 'C1'],
  [['价格', '代理购电', '按电量', '大概', '否', '1'], 'D1'],
  [['价格', '代理购电', '按电量', '是', '否', '一元'], 'F1'],
])('%j is told at %s', (line, cell) => {
  expect(readTariffSheet(rowsOf([line])).problems.map((each) => each.cell)).toContain(cell)
})

test('times of a band that is none, and off the quarter, are told; demand and its rule are read', () => {
  const lines = [
    ['时段', '平', '谷'],
    ['季节', '', '1-1', '12-31'],
    ['时刻', '工作日', '08:10', '24:00', '峰'],
    ['需量', '申报', '105', '2', '40', '260', '90'],
    ['力调标准', '0.9'],
    ['价格', '附加', '按其他项目的百分比', '否', '否', '13', '代理购电、输配电'],
  ]
  const { content, problems } = readTariffSheet(rowsOf(lines))
  expect(problems.map(({ cell }) => cell)).toEqual(['C3', 'E3', 'A1', 'A1'])
  expect(content.DemandRule).toEqual({
    ...{ Base: 'declared', FloorPercent: 40 },
    Over: { AbovePercent: 105, Factor: 2 },
    Discount: { FromKwhPerKva: 260, PricePercent: 90 },
  })
  expect([content.PowerFactorStandard, content.Components[0]?.Of]).toEqual([90, ['purchase', 'network']])
  expect(content.Seasons[0]).toMatchObject({ From: '01-01', To: '12-31' })
})
