import type { Statement } from '@linewarden/contract'

type Row = Statement['Parts'][number]['Rows'][number]

const row = (
  Key: string,
  Band: string | null,
  Quantity: string,
  Price: string,
  Amount: string,
  more: Partial<Row> = {},
): Row => ({
  ...{ Key, Band, Unit: 'kWh', Quantity, Price, Share: null, PricePercent: null, Amount, Gap: null },
  ...{ InPowerFactorBase: true, Estimated: false, ...more },
})

const bands = (...wh: number[]) =>
  ['sharp', 'peak', 'flat', 'valley', 'deepValley'].map((Key, place) => ({ Key, Wh: (wh[place] ?? 0) * 1_000 }))

const line = (LineID: number, Name: string, wh: number[], more: Partial<Statement['Members'][number]> = {}) => ({
  ...{ LineID, Sign: 1 as const, Name, Place: '配电房 1 · 断路器 3', Multiplier: 400, Opening: 17_908_020, Closing: 18_142_520 },
  ...{ Agrees: true, Meters: [], Wh: wh.reduce((sum, each) => sum + each, 0) * 1_000, Bands: bands(...wh), Known: 2_970 },
  ...{ Measured: 2_964, Spread: 6, Across: 0, Estimated: 0, Entered: 0, Missing: 6, Filled: 0, ...more },
})

/** October 2026 of a works with two transformers, as it was issued. */
export const testStatement = (more: Partial<Statement> = {}): Statement => ({
  ...{ StatementID: 7, Number: 'HD-202610-01', State: 'issued', Engine: 2, IssuedAt: Date.UTC(2026, 10, 2, 1, 14) },
  Sha256: '9d428f5bd580be4e6c8f03aeefae4d646ce1c860d29a2fa8f9b607a5c6be25e8',
  ...{ Issuer: '赵工', Estimates: null, Replaces: null, Successor: null, Ended: null, SupplyID: 3, Problems: [], Late: null },
  ...{ Project: '华东精密制造有限公司', Supply: '一厂区 10 kV 进线', AccountNo: '3205 0186 4471 2203', Zone: 'Asia/Shanghai' },
  ...{ Currency: 'CNY', Month: '2026-10', From: '2026-10-01', To: '2026-11-01', Quarters: 2_976, CapacityVa: 1_800_000 },
  ...{ DeclaredW: 450_000, PowerFactorStandard: 90, CosHundredths: 93, Wh: 158_300_000, BilledWh: 158_300_000 },
  Members: [
    line(1, 'QF1 1# 变压器低压总', [9_448, 35_660, 29_360, 17_712, 1_620]),
    line(2, 'QF2 2# 变压器低压总', [6_405, 24_366, 20_070, 12_534, 1_125], {
      Meters: [
        { Serial: '230418-0072', Multiplier: 300, From: null, To: 1, Opening: '16623.66', Closing: '16700.66', Wh: 23_100_000 },
        { Serial: '250101-0001', Multiplier: 300, From: 1, To: null, Opening: '0.00', Closing: '138.00', Wh: 41_400_000 },
      ],
    }),
  ],
  ...{ LackingQuarters: 0, Max: { W: 431_000, At: Date.UTC(2026, 9, 22, 2, 30), LeftOut: 2 }, Total: '155266.51' },
  ...{ KnownHundredths: 9_979, ByWeekday: false },
  Parts: [
    {
      ...{ Tariff: '工商业两部制 1–10 kV', Number: 3, Source: '苏发改价格发〔2026〕602 号', ValidFrom: '2026-07-01' },
      ...{ Sha256: null, From: '2026-10-01', To: '2026-10-31', Bands: bands(15_853, 60_026, 49_430, 30_246, 2_745) },
      Rows: [
        row('purchase', 'sharp', '15853.000', '1.2000', '19023.60'),
        row('purchase', 'peak', '60026.000', '0.9100', '54623.66'),
        row('purchase', 'flat', '49430.000', '0.5000', '24715.00'),
        row('purchase', 'valley', '30246.000', '0.1400', '4234.44'),
        row('purchase', 'deepValley', '2745.000', '0.0600', '164.70'),
        row('losses', null, '158300.000', '0.0186', '2944.38'),
        row('network', null, '158300.000', '0.1357', '21481.31', { Estimated: true }),
        row('system', null, '158300.000', '0.0364', '5762.12'),
        row('funds', null, '158300.000', '0.0293', '4638.19', { InPowerFactorBase: false }),
        row('demand', null, '450', '40.8000', '18360.00', { Unit: 'kW', PricePercent: '90' }),
        row('powerFactor', null, '151309.21', '-0.45', '-680.89', { Unit: 'money' }),
      ],
    },
  ],
  ...more,
})
