import type { DevicePlan, GatewayPlan, LinePlan, LoadKind, ProjectPlan } from './plan.ts'

interface Cabinet {
  readonly name: string
  readonly three: readonly (readonly [name: string, ratedA: number, load: LoadKind])[]
  readonly single: readonly (readonly [name: string, ratedA: number, load: LoadKind])[]
  readonly smoke?: string
  /** Its first three-phase line is upstream of all others that have no supply of their own. */
  readonly hasIncomer?: true
  /** Everything else that hangs in this cabinet's rooms. */
  readonly more?: readonly (readonly [suffix: string, family: string, model: string, name: string, extra?: Partial<DevicePlan>])[]
}

const floor = (n: number): Cabinet => ({
  hasIncomer: true,
  name: `${n}层配电箱`,
  three: [
    [`${n}层总开关`, 250, 'office'],
    [`${n}层空调`, 100, 'hvac'],
    [`${n}层办公东区`, 63, 'office'],
    [`${n}层办公西区`, 63, 'office'],
  ],
  single: [
    [`${n}层照明一`, 20, 'lighting'],
    [`${n}层照明二`, 20, 'lighting'],
    [`${n}层插座一`, 32, 'socket'],
    [`${n}层插座二`, 32, 'socket'],
    [`${n}层茶水间`, 25, 'socket'],
    [`${n}层弱电机房`, 25, 'office'],
    [`${n}层应急照明`, 16, 'lighting'],
    [`${n}层会议室`, 25, 'socket'],
  ],
  smoke: `${n}层走廊烟感`,
})

const building = (n: number): Cabinet => ({
  hasIncomer: true,
  name: `${n}号楼总配电柜`,
  three: [
    [`${n}号楼进线`, 250, 'residential'],
    [`${n}号楼一单元`, 100, 'residential'],
    [`${n}号楼二单元`, 100, 'residential'],
    [`${n}号楼电梯`, 63, 'lift'],
    [`${n}号楼水泵`, 40, 'lift'],
  ],
  single: [
    [`${n}号楼公共照明`, 20, 'lighting'],
    [`${n}号楼楼道插座`, 16, 'socket'],
    [`${n}号楼门禁`, 10, 'office'],
    [`${n}号楼监控`, 10, 'office'],
    [`${n}号楼地下室照明`, 20, 'lighting'],
    [`${n}号楼屋顶照明`, 16, 'lighting'],
    [`${n}号楼消防应急`, 16, 'lighting'],
  ],
})

const garage: Cabinet = {
  hasIncomer: true,
  name: '地下车库充电桩配电柜',
  three: [
    ['充电桩总开关', 400, 'charger'],
    ['充电桩 1#', 63, 'charger'],
    ['充电桩 2#', 63, 'charger'],
    ['充电桩 3#', 63, 'charger'],
    ['充电桩 4#', 63, 'charger'],
    ['排风机', 40, 'hvac'],
  ],
  single: [
    ['车库照明一', 20, 'lighting'],
    ['车库照明二', 20, 'lighting'],
    ['车库道闸', 16, 'lift'],
    ['车库排水泵', 25, 'lift'],
    ['慢充桩 1#', 32, 'charger'],
    ['慢充桩 2#', 32, 'charger'],
  ],
  smoke: '车库烟感',
  more: [
    [
      'K3',
      'airSwitch3p',
      'AIR-3P',
      '三相空气开关组',
      {
        lines: lines([
          ['洗车机', 32, 'lift'],
          ['通风总管', 40, 'hvac'],
        ]),
      },
    ],
    [
      'K1',
      'airSwitch1p',
      'AIR-2P',
      '单相空气开关组',
      {
        lines: lines([
          ['岗亭空调', 20, 'hvac'],
          ['岗亭照明', 10, 'lighting'],
        ]),
      },
    ],
    [
      'P1',
      'powerController',
      'PPS-4',
      '四路电源控制器',
      {
        lines: lines([
          ['广告灯箱', 10, 'lighting'],
          ['自动售货机', 10, 'socket'],
          ['显示屏', 10, 'office'],
          ['备用', 10, 'socket'],
        ]),
      },
    ],
    // Behind its rectifier stands a battery.
    [
      'Z1',
      'breaker1p',
      '1PN_Z',
      '48V直流断路器',
      { lines: lines([['通信电源', 32, 'office']]).map((line) => ({ ...line, ownSupply: true })) },
    ],
    ['X1', 'currentLimiter', 'AESP', '充电区限流式保护器', { circuit: { ratedCurrentA: 40, load: 'charger' } }],
    ['D1', 'detectorLte', 'TCQ-LTE', '充电桩4G电气火灾探测器'],
    ['R1', 'infrared', 'IR-1', '配电间人体探测器'],
  ],
}

const machineRoom: Cabinet = {
  name: '制冷机房配电柜',
  three: [
    ['冷水机组 1#', 250, 'hvac'],
    ['冷水机组 2#', 250, 'hvac'],
    ['冷冻水泵', 63, 'hvac'],
    ['冷却水泵', 63, 'hvac'],
    ['冷却塔风机', 40, 'hvac'],
  ],
  single: [
    ['机房照明', 16, 'lighting'],
    ['机房检修插座', 16, 'socket'],
    ['控制电源', 10, 'office'],
    ['加药装置', 16, 'lift'],
    ['排污泵', 20, 'lift'],
    ['值班室', 20, 'socket'],
  ],
  smoke: '制冷机房烟感',
  more: [
    ['D1', 'detectorRs', 'TCQ-RS', '制冷机房电气火灾探测器'],
    ['A1', 'arcDetector', 'ARCM620', '值班室电弧探测器', { circuit: { ratedCurrentA: 20, load: 'socket' } }],
    ['W1', 'waterImmersion', 'WI-4G', '冷水机组漏水传感器'],
    ['C1', 'tokenDetector', 'TK-1', '值班室烟感（凭码访问）'],
  ],
}

const canteen: NonNullable<Cabinet['more']> = [
  ['G1', 'gas', 'GAS-1', '食堂燃气探测器'],
  ['N1', 'nt8141', 'NT8141', '食堂仓库NB烟感'],
]
const kitchens: NonNullable<Cabinet['more']> = [
  ['G1', 'nt9141', 'NT9141', '物业厨房4G燃气探测器'],
  ['N1', 'nt8117', 'NT8117', '物业值班室4G烟感'],
]

/** The demo: one group, two projects, twelve gateways, about 150 lines and every kind of detector. */
export function demoPlan(): readonly ProjectPlan[] {
  return [
    {
      group: '滨江区',
      name: '滨江科创园一期',
      timeZone: 'Asia/Shanghai',
      standard: 'GB',
      gateways: [{ ...floor(1), more: canteen }, ...[2, 3, 4, 5].map(floor), machineRoom].map((cabinet, i) =>
        gateway(`GW-BJ-${pad(i + 1)}`, `BJ${pad(i + 1)}`, cabinet),
      ),
    },
    {
      group: '滨江区',
      name: '望湖小区',
      timeZone: 'Asia/Shanghai',
      standard: 'GB',
      gateways: [{ ...building(1), more: kitchens }, ...[2, 3, 5, 6].map(building), garage].map((cabinet, i) =>
        gateway(`GW-WH-${pad(i + 1)}`, `WH${pad(i + 1)}`, cabinet),
      ),
    },
  ]
}

/** Any number of gateways of three-phase lines, for load. */
export function generatedPlan(options: { gateways: number; linesPerGateway: number; reportingPeriodMs?: number }): GatewayPlan[] {
  const { gateways, linesPerGateway, reportingPeriodMs = 5_000 } = options
  return Array.from({ length: gateways }, (_, g) => ({
    number: `LG-${g}`,
    name: `LG-${g}`,
    secret: '',
    reportingPeriodMs,
    devices: [
      {
        controllerId: `LG${g}`,
        family: 'breaker3p',
        model: '3PN',
        name: `LG${g}`,
        lines: Array.from(
          { length: linesPerGateway },
          (_, i): LinePlan => ({ lineNo: i + 1, name: `L${g}-${i + 1}`, ratedCurrentA: 63, load: 'office' }),
        ),
      },
    ],
  }))
}

function lines(rows: Cabinet['three']): LinePlan[] {
  return rows.map(([name, ratedCurrentA, load], i) => ({ lineNo: i + 1, name, ratedCurrentA, load }))
}

function gateway(number: string, prefix: string, cabinet: Cabinet): GatewayPlan {
  const device = (suffix: string, family: string, model: string, name: string, extra: Partial<DevicePlan> = {}): DevicePlan => ({
    controllerId: `${prefix}-${suffix}`,
    family,
    model,
    name,
    lines: [],
    reportsSettings: true,
    ...extra,
  })
  const three = lines(cabinet.three)
  // An incomer waits for its branches: its residual current is theirs together, and it must be the last to open.
  const selective = three.map((line, i) =>
    i === 0 && cabinet.hasIncomer ? { ...line, settings: { 'leakage.trip': 500 } } : line,
  )
  const devices = [
    device('T1', 'breaker3p', '3PN', '三相断路器组', { lines: selective }),
    device('S1', 'breaker1p', '1PN', '单相断路器组', { lines: lines(cabinet.single) }),
    ...(cabinet.smoke ? [device('Y1', 'smoke', 'JTY-GD', cabinet.smoke)] : []),
    ...(cabinet.more ?? []).map((each) => device(...each)),
  ]
  const incomer = cabinet.hasIncomer && { incomer: { controllerId: `${prefix}-T1`, lineNo: 1 } }
  return { number, name: cabinet.name, secret: '', reportingPeriodMs: 2_000, devices, ...incomer }
}

const pad = (n: number): string => String(n).padStart(2, '0')
