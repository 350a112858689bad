import { choice, figure, fireEquipment, ours, yesNo } from './item-makers.ts'

const arcStandard = { zh: 'GB 14287.4：故障电弧探测器', en: 'GB 14287.4: arc-fault detectors' }
const electricalFire = { zh: 'GB 14287：电气火灾监控系统', en: 'GB 14287: electrical fire monitoring' }

export const arcItems = [
  yesNo('arc.transformer', '互感器安装到位，相线穿芯方向正确', 'Current transformer is seated, the phase passes the right way', {
    source: arcStandard,
  }),
  yesNo('arc.test', '按自检键，声光报警正常并上报平台', 'Test key: it sounds, lights up and reports', {
    source: arcStandard,
    everyDays: 30,
  }),
  yesNo('arc.indicator', '运行指示灯正常，无故障灯', 'Running lamp on, no fault lamp'),
]

export const fireDetectorItems = [
  yesNo(
    'fire.transformer',
    '剩余电流互感器安装到位，仅穿相线和 N 线',
    'Residual-current transformer is seated: phases and neutral pass it, PE does not',
    { source: electricalFire },
  ),
  yesNo('fire.probes', '温度探头贴合端子，固定牢靠', 'Temperature probes touch their terminals and are fixed', {
    source: electricalFire,
  }),
  yesNo('fire.test', '按自检键，声光报警正常并上报平台', 'Test key: it sounds, lights up and reports', {
    source: electricalFire,
    everyDays: 30,
  }),
  yesNo('fire.wiring', '通信线、电源线连接牢靠', 'Bus and supply are connected firmly'),
]

const mounted = yesNo('detector.mounted', '安装牢固，周围 0.5 m 内无遮挡', 'Fixed firmly, nothing within 0.5 m of it')
const expiry = choice(
  'detector.expiry',
  '使用期限',
  'Service life',
  [
    ['within', '在有效期内', 'Within it'],
    ['soon', '90 天内到期', 'Ends within 90 days'],
    ['!over', '已过期', 'Over'],
  ],
  { source: fireEquipment, everyDays: 365 },
)

export const smokeItems = [
  yesNo('smoke.agent', '用烟雾试验剂试验，报警并上报平台', 'Test agent: it alarms and reports', {
    source: fireEquipment,
    everyDays: 365,
  }),
  yesNo('smoke.clean', '进烟口清洁，无灰尘、油漆、防尘罩', 'Inlet is clean: no dust, paint or cap', {
    source: fireEquipment,
    everyDays: 365,
  }),
  mounted,
  expiry,
]

export const standaloneItems = [
  figure('smoke.battery', '电池电量', 'Battery', { min: 20, max: 100, unit: '%' }),
  yesNo('smoke.sounder', '按测试键，声响清晰', 'Test key: it sounds clearly', { source: fireEquipment, everyDays: 30 }),
]

export const gasItems = [
  yesNo('gas.agent', '用标准试验气体试验，报警并上报平台', 'Test gas: it alarms and reports', {
    source: fireEquipment,
    everyDays: 365,
  }),
  yesNo('gas.clean', '进气口清洁，无油污堵塞', 'Inlet is clean and not greasy', { source: fireEquipment, everyDays: 365 }),
  choice('gas.height', '安装高度与气体种类', 'Height of mounting and kind of gas', [
    ['right', '相符', 'Fit each other'],
    ['!wrong', '不符（天然气应近顶，液化气应近地）', 'Do not: natural gas near the ceiling, LPG near the floor'],
  ]),
  yesNo('gas.valve', '联动切断阀动作正常（如有）', 'Linked valve closes, if there is one'),
  mounted,
  expiry,
]

export const infraredItems = [
  yesNo('infrared.walk', '步行测试：探测范围内有人即上报', 'Walk test: whoever walks in its range is reported', {
    source: ours,
    everyDays: 90,
  }),
  yesNo('infrared.clear', '镜面清洁，前方无遮挡', 'Lens is clean, nothing stands before it'),
  mounted,
]

export const waterItems = [
  yesNo(
    'water.wet',
    '湿布或清水试验：探头遇水上报，擦干后恢复',
    'Wet test: water at the probe is reported, and returns when dried',
    { source: ours, everyDays: 90 },
  ),
  yesNo('water.probe', '探头位于最低处，触点清洁无锈', 'Probe lies at the lowest point, contacts are clean'),
  figure('water.battery', '电池电量', 'Battery', { min: 20, max: 100, unit: '%' }),
]
