import type { importPrices, Reply } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { PriceProblem, PriceProblemKey } from '@linewarden/rules/energy'

/** What is wrong with a line of a file of prices, and what it should be. */
const texts: Readonly<Record<PriceProblemKey, Text>> = {
  empty: { zh: '没有价格', en: 'There are no prices' },
  columns: {
    zh: '无法确定价格列：请只保留时间和价格两列，或让一列的列名含“价”',
    en: 'It is not clear which column the prices are in: leave a time and a price, or name one of them price',
  },
  cells: {
    zh: '该行有 {found} 列，首行只有 {count} 列：小数请用小数点，或用分号分列',
    en: 'It has {found} columns, the first line {count}: write decimals with a point, or put semicolons between columns',
  },
  headUnit: {
    zh: '列名写的是每 {found}，而所选为每 {per}',
    en: 'The head of the column says per {found}, what was chosen is per {per}',
  },
  headClock: {
    zh: '列名写明时间为 {found}，而项目时区为 {zone}：请在每个时间后写上时差，例如 2025-03-30T01:00Z',
    en: 'The head says that times are of {found}, the clock of the project is {zone}: write each with its offset, such as 2025-03-30T01:00Z',
  },
  timeWrong: { zh: '“{time}”不是时间：应为 2025-03-30 01:00', en: '"{time}" is no time: write it as 2025-03-30 01:00' },
  timeSkipped: {
    zh: '“{time}”不存在：当天换夏令时，时钟跳过这一小时',
    en: '"{time}" does not exist: the clock skips it on that date',
  },
  timeTwice: {
    zh: '“{time}”重复（时钟拨回的一小时才出现两次）',
    en: '"{time}" is there already: only an hour that the clock shows twice is written twice',
  },
  timeUnsorted: { zh: '“{time}”早于上一行：请按时间排序', en: '"{time}" is before the line above it: sort them by time' },
  offQuarter: { zh: '“{time}”不在整刻', en: '"{time}" is on no quarter of an hour' },
  priceWrong: {
    zh: '“{price}”不是价格：应为数字，按 kWh 最多 8 位小数，按 MWh 最多 5 位',
    en: '"{price}" is no price: it is a number, of a kWh with at most 8 places, of a MWh with at most 5',
  },
  stepWrong: { zh: '时间间隔应为 15、30 或 60 分钟', en: 'Times lie 15, 30 or 60 minutes apart' },
  stepMixed: {
    zh: '自该行起间隔为 {minutes} 分钟，其他行为 {least} 分钟：请分成两个文件导入',
    en: 'From this line on times lie {minutes} minutes apart, elsewhere {least}: import them as two files',
  },
  tooLong: { zh: '一次最多导入 {most} 天', en: 'At most {most} days at once' },
  notXml: { zh: '不是完整的 XML 文件', en: 'It is no whole XML document' },
  notPrices: {
    zh: '不是价格文件（{name}）：应为 Publication_MarketDocument',
    en: 'It is no document of prices ({name}): it begins with Publication_MarketDocument',
  },
  currency: { zh: '币种为 {found}，电价为 {currency}', en: 'Its currency is {found}, that of the tariff {currency}' },
  unit: { zh: '计量单位为 {found}：应为 MWH 或 KWH', en: 'Its unit is {found}: it is MWH or KWH' },
  curveType: { zh: '曲线类型 {found} 不支持：应为 A01 或 A03', en: 'Its curve type is {found}: it is A01 or A03' },
  resolution: {
    zh: '时间步长 {found} 不支持：应为 PT15M、PT30M 或 PT60M',
    en: 'Its resolution is {found}: it is PT15M, PT30M or PT60M',
  },
  interval: { zh: '起止时间不正确', en: 'Its interval is none' },
  positions: {
    zh: '位置应从 1 起递增，最大 {count}（最后为 {last}）',
    en: 'Positions rise from 1 to {count} at most (the last one is {last})',
  },
  positionsMissing: {
    zh: '应有 {count} 个价格，实有 {found} 个',
    en: 'It has {found} prices; its interval has {count}',
  },
  overlap: {
    zh: '同一时段有几个价格（步长 {minutes} 分钟）：请选择一种步长',
    en: 'There are several prices for the same time (of {minutes} minutes): choose one resolution',
  },
}

export const priceProblemRecords = (problems: readonly PriceProblem[]): Reply<typeof importPrices>['Problems'] =>
  problems.map(({ row, key, detail = {} }) => ({ Row: row, Key: key, Text: filled(texts[key], detail) }))

function filled({ zh, en }: Text, detail: Readonly<Record<string, unknown>>): Text {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(detail[name] ?? whole))
  return { zh: fill(zh), en: fill(en) }
}
