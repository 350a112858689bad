import { choice, electricalMaintenance, figure, ours, rcdInstallation, yesNo } from './item-makers.ts'

/** Residual-current protection. Its button is pressed by somebody who may have the line off. */
export const protectionItems = [
  yesNo('rcd.testButton', '按试验按钮，漏电保护立即脱扣', 'Test button pressed: it trips at once', {
    source: rcdInstallation,
    everyDays: 30,
  }),
  yesNo('rcd.neutral', 'N 线未重复接地，未与 PE 线混接', 'Neutral is not earthed again and not mixed up with PE', {
    source: { zh: 'GB/T 13955：安装要求', en: 'GB/T 13955: installation' },
  }),
]

/** Every enclosure with terminals. */
export const coverItems = [
  yesNo('label.legible', '回路标识清晰、与实际一致', 'Label is legible and says what the line feeds'),
  yesNo('cover.closed', '外壳、盖板完好，无外露带电体', 'Enclosure and covers are whole, nothing live is exposed'),
]

export const breakerItems = [
  yesNo('terminals.tight', '接线端子紧固，无松动', 'Clamps are tight'),
  yesNo('terminals.colour', '端子、导线无变色、无焦痕、无异味', 'Clamps and wires are not discoloured or burnt and do not smell'),
  ...coverItems,
  choice(
    'condition',
    '整体状况',
    'Overall condition',
    [
      ['good', '良好', 'Good'],
      ['fair', '一般', 'Fair'],
      ['!poor', '差', 'Poor'],
    ],
    { source: { zh: 'NFPA 70B：设备状况分级', en: 'NFPA 70B: condition of equipment' } },
  ),
]

export const thermographyItems = [
  figure(
    'thermo.load',
    '热成像时负荷占额定电流',
    'Load when the thermal image was taken, of rated current',
    { min: 40, max: 120, unit: '%' },
    {
      source: electricalMaintenance,
      everyDays: 365,
    },
  ),
  figure(
    'thermo.rise',
    '热成像：与同类端子的最大温差 ΔT',
    'Thermal image: highest ΔT against like terminals',
    { min: 0, max: 15, unit: 'K' },
    {
      source: { zh: 'NFPA 70B 热成像；15 K 为本平台设定', en: 'NFPA 70B thermography; 15 K is ours' },
      everyDays: 365,
    },
  ),
]

export const currentLimiterItems = [
  yesNo('limiter.indicator', '限流保护器指示灯正常，无故障指示', 'Indicators of the current limiter show no fault'),
  yesNo('limiter.vents', '散热孔无遮挡，温升无异常', 'Vents are free, it is not unusually warm'),
  figure(
    'limiter.load',
    '实测负荷电流占额定电流',
    'Measured load, of rated current',
    { min: 0, max: 80, unit: '%' },
    { source: ours },
  ),
]
