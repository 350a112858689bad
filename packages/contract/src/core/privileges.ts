import type { Text } from '@linewarden/equipment'

/** One page a role may open. `name.zh` is the permission label that goes over the wire (specification section 6). */
export interface Page {
  readonly key: string
  readonly name: Text
  /** The console's route, or that of its first child. */
  readonly route: string
  readonly subs?: readonly Page[]
}

/** Parts of the report section: a role that may open it gets them all. */
export const reportPages = [
  { key: 'report.deviceData', name: { zh: '设备数据', en: 'Device data' }, route: '/system/report/deviceData' },
  { key: 'report.powerReport', name: { zh: '用电报表', en: 'Electricity statement' }, route: '/system/report/powerReport' },
  { key: 'report.account', name: { zh: '设备台账', en: 'Asset register' }, route: '/system/report/account' },
] as const satisfies readonly Page[]

/** Of no section, and held by no role: administrators may open it, and so may accounts that have it as their extra route. */
export const warningRules = {
  key: 'advance.warning',
  name: { zh: '预警规则', en: 'Warning rules' },
  route: '/advance/warning',
} as const satisfies Page

export const pages = [
  {
    key: 'devmon',
    name: { zh: '设备监控', en: 'Monitoring' },
    route: '/devmon',
    subs: [
      { key: 'devmon.realtime', name: { zh: '实时监控', en: 'Live' }, route: '/devmon/realtime' },
      { key: 'devmon.ledger', name: { zh: '操作记录', en: 'Command history' }, route: '/devmon/ledger' },
      { key: 'devmon.hisdata', name: { zh: '历史数据', en: 'History' }, route: '/devmon/hisdata' },
      { key: 'devmon.faultalarm', name: { zh: '故障预警', en: 'Early warning' }, route: '/devmon/faultalarm' },
      { key: 'devmon.params', name: { zh: '参数设置', en: 'Parameters' }, route: '/devmon/params' },
      { key: 'devmon.selftests', name: { zh: '漏电自检', en: 'RCD tests' }, route: '/devmon/selftests' },
    ],
  },
  {
    key: 'timer',
    name: { zh: '定时场景', en: 'Timers and scenes' },
    route: '/timer',
    subs: [
      { key: 'timer.list', name: { zh: '定时列表', en: 'Timers' }, route: '/timer/list' },
      { key: 'timer.log', name: { zh: '定时日志', en: 'Timer log' }, route: '/timer/log' },
      { key: 'scene.list', name: { zh: '场景列表', en: 'Scenes' }, route: '/scene/list' },
      { key: 'scene.log', name: { zh: '场景日志', en: 'Scene log' }, route: '/scene/log' },
      { key: 'linkage.list', name: { zh: '联动列表', en: 'Linkages' }, route: '/linkage/list' },
      { key: 'linkage.log', name: { zh: '联动日志', en: 'Linkage log' }, route: '/linkage/log' },
    ],
  },
  {
    key: 'hazard',
    name: { zh: '隐患分析', en: 'Hazards' },
    route: '/hazard',
    subs: [
      { key: 'hazard.patrol', name: { zh: '隐患巡检', en: 'Inspection rounds' }, route: '/hazard/patrol' },
      { key: 'hazard.alarmList', name: { zh: '报警列表', en: 'Alarms' }, route: '/hazard/alarmList' },
      { key: 'hazard.analysis', name: { zh: '隐患统计', en: 'Statistics' }, route: '/hazard/analysis' },
      { key: 'hazard.devTest', name: { zh: '设备体检', en: 'Health check' }, route: '/hazard/devTest' },
      { key: 'hazard.workorder', name: { zh: '工单管理', en: 'Work orders' }, route: '/hazard/workorder' },
    ],
  },
  {
    key: 'energy',
    name: { zh: '能耗统计', en: 'Energy' },
    route: '/energyStatistics',
    subs: [{ key: 'energy.energy', name: { zh: '用电统计', en: 'Consumption' }, route: '/energyStatistics/energy' }],
  },
  {
    key: 'system',
    name: { zh: '系统管理', en: 'System' },
    route: '/system',
    subs: [
      { key: 'system.project', name: { zh: '项目管理', en: 'Projects' }, route: '/system/project' },
      { key: 'system.city', name: { zh: '分组管理', en: 'Groups' }, route: '/system/city' },
      { key: 'system.geteway', name: { zh: '网关管理', en: 'Gateways' }, route: '/system/geteway' },
      { key: 'system.roles', name: { zh: '角色管理', en: 'Roles' }, route: '/system/roles' },
      { key: 'system.users', name: { zh: '用户管理', en: 'Users' }, route: '/system/users' },
      { key: 'system.log', name: { zh: '系统日志', en: 'System log' }, route: '/system/log' },
      { key: 'system.devLists', name: { zh: '设备列表', en: 'Devices' }, route: '/system/devLists' },
      { key: 'system.report', name: { zh: '报表管理', en: 'Reports' }, route: '/system/report' },
    ],
  },
] as const satisfies readonly Page[]

type Sub = (typeof pages)[number]['subs'][number]
export type PagePermission = (typeof pages)[number]['key'] | Sub['key']

/** Button permissions of a role (`LevelBtn`). */
export const buttons = {
  manageTiming: { zh: '管理定时', en: 'Manage timers' },
  manageScene: { zh: '管理场景', en: 'Manage scenes' },
  lineSwitch: { zh: '线路分合闸', en: 'Trip and close lines' },
  tagLines: { zh: '挂牌', en: 'Apply lock-out tags' },
  gatewayEnable: { zh: '网关启停', en: 'Enable gateways' },
} as const satisfies Record<string, Text>

export type ButtonPermission = keyof typeof buttons

export const isButtonPermission = (key: string): key is ButtonPermission => Object.hasOwn(buttons, key)

/** Pages of whoever runs the installation: no role holds them, and they stand last in the system section. */
export const platformPages: readonly Page[] = [
  { key: 'system.firmware', name: { zh: '网关固件', en: 'Gateway firmware' }, route: '/system/firmware' },
  { key: 'system.branding', name: { zh: '品牌设置', en: 'Branding' }, route: '/system/branding' },
]

/** Every page that a role may open, and the warning rules: each may be the extra route of an account. */
export const ordinaryPages: readonly Page[] = [
  // Its address leads to the first of the reports, which are pages.
  ...pages.flatMap(({ subs }): readonly Page[] => subs).filter(({ key }) => key !== 'system.report'),
  ...reportPages,
  warningRules,
]
