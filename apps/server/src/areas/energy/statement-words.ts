import { tariffName, text } from '@linewarden/contract'
import { inLanguage } from '../../http/table-file.ts'

/** What a statement says as a document; the sheet of the console says the same. */
const words = {
  sheet: text('电费结算单', 'Electricity statement'),
  of: text(
    '{month} · {from} 至 {to}（不含；{zone}，{count} 刻）',
    '{month} · {from} to {to} (excluded; {zone}, quarters of an hour: {count})',
  ),
  issuedAt: text('已签发 {time}', 'Issued {time}'),
  isReplaced: text('已红冲，由 {number} 代替', 'Corrected, replaced by {number}'),
  isVoid: text('已作废', 'Void'),
  endedAt: text('{time}，{reason}', '{time}, {reason}'),
  replacesNumber: text('红冲并代替 {number}', 'Corrects and replaces {number}'),
  customer: text('用电单位', 'Customer'),
  point: text('供电点', 'Supply'),
  account: text('户号', 'Account'),
  capacity: text('受电容量', 'Capacity'),
  capacityIs: text('{kva} kVA', '{kva} kVA'),
  declaredIs: text('申报需量 {kw} kW', 'declared {kw} kW'),
  tariff: text('电价', 'Tariff'),
  tariffIs: text('{tariff} · 版本 {no}，{from} 起', '{tariff} · version {no}, from {from}'),
  source: text('电价依据', 'Follows'),
  metering: text('一、计量', '1. Metering'),
  meteringHint: text('（止码 − 起码）× 倍率 = 电量', '(closing − opening) × multiplier = energy'),
  meter: text('计量点', 'Meter'),
  register: text('示数', 'Register'),
  opening: text('起码', 'Opening'),
  closing: text('止码', 'Closing'),
  rise: text('差', 'Rise'),
  multiplier: text('倍率', 'Mult.'),
  energy: text('电量 kWh', 'Energy kWh'),
  serialIs: text('表号 {serial}', 'No. {serial}'),
  metersTogether: text('各表合计', 'All meters'),
  active: text('正向有功总', 'Active energy'),
  takenOff: text('扣减', 'taken off'),
  noRegister: text('示数未存', 'register not stored'),
  disagrees: text(
    '示数差与电量不符（复位、更换或时钟有疑），以各刻电量为准',
    'The registers do not make up its energy (reset, another meter, or a clock that was off): the quarters count',
  ),
  gone: text('已不在本项目的线路', 'A line that is in the project no more'),
  activeEnergy: text('有功电量', 'Active energy'),
  maxDemand: text('最大需量 {time}', 'Largest demand {time}'),
  maxLeftOut: text('另有 {count} 刻不计需量', '{count} quarters make none'),
  powerFactor: text('功率因数', 'Power factor'),
  standard: text('考核 {value}', 'standard {value}'),
  noStandard: text('不考核', 'no standard'),
  notEntered: text('未录入', 'not entered'),
  meanPrice: text('平均电价', 'Mean price'),
  charges: text('二、电费', '2. Charges'),
  chargesHint: text(
    '每项四舍五入到最小货币单位，合计为各项之和',
    'each rounded to the minor unit; the total is the sum of the rows',
  ),
  item: text('项', 'No.'),
  name: text('名称', 'Charge'),
  quantity: text('数量', 'Quantity'),
  price: text('单价 / 比率', 'Price / rate'),
  amount: text('金额 {unit}', 'Amount {unit}'),
  byQuarter: text('逐刻', 'by the quarter'),
  inBase: text('计入力调', 'adjusted'),
  notInBase: text('不计入力调', 'not adjusted'),
  powerFactorRow: text('力调电费', 'Power-factor adjustment'),
  powerFactorIs: text('力调电费（cos φ {cos}）', 'Power-factor adjustment (cos φ {cos})'),
  reward: text('奖励', 'reward'),
  penalty: text('增收', 'surcharge'),
  estimated: text('估', 'est.'),
  unknown: text('未知', 'not known'),
  sum: text('合计', 'Total'),
  inCapitals: text('人民币 {text}', ''),
  month: text('月', 'month'),
  part: text('{from} 至 {to}：{tariff} 版本 {no}', '{from} to {to}: {tariff}, version {no}'),
  knownIs: text('{name}：已知 {share}%，实测 {measured} 刻', '{name}: {share} % known, {measured} quarters measured'),
  spreadIs: text('同时段摊分 {count} 刻', '{count} spread inside one band'),
  acrossIs: text('跨时段摊分 {count} 刻（总量准确）', '{count} spread over bands (the sum is exact)'),
  estimatedIs: text('估算 {count} 刻', '{count} estimated'),
  enteredIs: text('录入 {count} 刻', '{count} entered'),
  missingIs: text('缺 {count} 刻，未计入', '{count} missing, not counted'),
  filledIs: text('补足 {count} 刻', '{count} filled'),
  lackingAre: text(
    '{count} 刻有线路数据缺失，各线路均未计费。',
    'Not billed of any line, as one of them is not known; quarters of an hour: {count}.',
  ),
  estimatesAre: text('按估算签发：{reason}（{name}）', 'Issued with estimates: {reason} ({name})'),
  byWeekday: text(
    '该年节假日未录入，按星期计价。',
    'The holidays of the year are not entered: it is priced by days of the week.',
  ),
  sentence: text('{text}。', '{text}.'),
  and: text('；', '; '),
  made: text('制单', 'Made by'),
  checked: text('审核', 'Checked by'),
  confirmed: text('用电单位确认', 'Customer'),
  engine: text('计算引擎', 'Engine'),
  check: text('验证', 'Verify'),
  scan: text(
    '扫右侧二维码，或在用电报表中点“验证”，由冻结的数据重算并逐字节比对',
    'Scan the code, or press Verify in the electricity statement: it is reckoned again from what was frozen, byte by byte',
  ),
  compare: text(
    '在用电报表中点“验证”，由冻结的数据重算并逐字节比对；二维码为单号和 SHA-256',
    'Press Verify in the electricity statement: it is reckoned again from what was frozen, byte by byte. The code holds number and SHA-256',
  ),
  neverMoves: text(
    '{number} · 本单签发后不再变动，更正以红冲单为准',
    '{number} · once issued it never changes; only a correction replaces it',
  ),
} as const

/** Each of them, in both languages. */
export const allStatementWords: readonly string[] = Object.values(words).flatMap(({ zh, en }) => [zh, en])

type Word = (key: keyof typeof words, values?: Readonly<Record<string, string | number>>) => string

/** The words in one language; `{name}` stands for a value. */
export const statementWords = (language: 'CN' | 'EN') => ({
  language,
  word: ((key, values = {}) =>
    inLanguage(words[key], language).replace(/\{(\w+)\}/g, (_, name: string) =>
      String(values[name] ?? ''),
    )) satisfies Word as Word,
  /** Of a band, or of what is charged. */
  nameOf: (key: string): string => inLanguage(tariffName(key), language),
  unitOf: (currency: string | null): string => (currency === 'CNY' && language === 'CN' ? '元' : (currency ?? '')),
})

export type StatementWords = ReturnType<typeof statementWords>
