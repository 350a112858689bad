import type { Alarm, AlarmLimit, Family, Figure, Point, Setting, StatePoint, Text } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'

/** docs/devices.md, drawn from the families: nobody writes it by hand, so it cannot say anything else than the code. */
export function devicesDocument(): string {
  return [
    '# Devices / 设备',
    '',
    'Made by `npm run docs:devices` from `packages/equipment/src/families/`. / 由设备族数据自动生成，请勿手工修改。',
    '',
    'Names on the wire: [wire-protocol.md](wire-protocol.md). Codes of a state count from 0 in the order given. In is the rated current of the line.',
    '报文名称见 [wire-protocol.md](wire-protocol.md)。状态代码按所列顺序从 0 起编。In 为线路额定电流。',
    '',
    '`PUT /status/{ID}/{type}/{attr}` names a setting by its key cut at the dot: `overload/trip` is `overload.trip`. A key without a dot takes `trip`: `overvoltage/trip` is `overvoltage`.',
    '`PUT /status/{ID}/{type}/{attr}` 以参数键名中的点号分为两段：`overload/trip` 即 `overload.trip`；键名无点号的，第二段写 `trip`：`overvoltage/trip` 即 `overvoltage`。',
    '',
    ...table(
      ['Family / 设备族', 'Key', 'Models / 型号', 'Reports / 上报'],
      families.map(({ key, label, models, level }) => [
        `[${both(label)}](#${anchor(key)})`,
        code(key),
        models.map(code).join(' '),
        level === 'line' ? 'per line / 每条线路' : 'the device itself / 设备本身',
      ]),
    ),
    '',
    ...families.flatMap(section),
  ].join('\n')
}

const both = ({ zh, en }: Text): string => (zh === en ? en : `${en} / ${zh}`)
const code = (text: string): string => `\`${text}\``
const anchor = (key: string): string => key.toLowerCase()

function section(family: Family): string[] {
  const { key, label, points, states, recordings = [], settings, actions, alarms, calls, models } = family
  return [
    `## ${key}`,
    '',
    `**${both(label)}**. Models / 型号: ${models.map(code).join(', ')}. Calls / 接口: ${calls.map(code).join(', ')}.`,
    '',
    ...part('Values / 测量值', ['Name', 'Value', 'Unit', 'Decimals'], points.map(pointRow)),
    ...part('States / 状态', ['Name', 'State', 'Codes'], states.map(stateRow)),
    ...part(
      'Recordings / 录波',
      ['Name', 'Recording', 'Unit', 'Samples per second', 'Wire value'],
      recordings.map((each) => [code(each.key), both(each.label), each.unit, String(each.perSecond), `x ${each.divisor}`]),
    ),
    ...part('Settings / 参数', ['Name', 'Setting', 'Range', 'Step', 'Default', 'Source'], settings.map(settingRow)),
    ...part(
      'Actions / 操作',
      ['Action', 'What', 'Confirmed by'],
      actions.map((each) => [code(each.key), both(each.label), code(`${each.confirmedBy.state} = ${each.confirmedBy.value}`)]),
    ),
    ...part('Alarms / 报警', ['Key', 'Alarm', 'Priority', 'Raised', 'Delay on / off', 'Latches'], alarms.map(alarmRow)),
  ]
}

function part(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : [`${title}`, '', ...table(heads, rows), '']
}

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${heads.join(' | ')} |`,
  `| ${heads.map(() => '---').join(' | ')} |`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

const pointRow = ({ key, label, unit, precision }: Point): string[] => [code(key), both(label), unit || '–', String(precision)]

const stateRow = ({ key, label, values }: StatePoint): string[] => [
  code(key),
  both(label),
  values.map((value, i) => `${i} ${code(value.key)} ${both(value.label)}`).join('; '),
]

const settingRow = (setting: Setting): string[] => [
  code(setting.key),
  both(setting.label),
  `${figure(setting.min)} – ${figure(setting.max)} ${setting.unit}${setting.voltageBand ? ' (listed models: their voltage band / 特定型号按电压区间)' : ''}`.trim(),
  String(setting.step),
  figure(setting.default),
  setting.source,
]

const figure = (given: Figure): string =>
  typeof given === 'number' ? String(given) : given.timesIn === 1 ? 'In' : `${given.timesIn} In`

function alarmRow(alarm: Alarm): string[] {
  return [
    code(alarm.key),
    both(alarm.label),
    `${alarm.priority} ${alarm.kind}`,
    raised(alarm),
    `${alarm.onDelayMs / 1000} s / ${alarm.offDelayMs / 1000} s`,
    alarm.latching ? 'until reset at the device / 需现场复位' : '–',
  ]
}

const levelText = (limit: AlarmLimit): string =>
  'value' in limit ? String(limit.value) : limit.share === 1 ? limit.setting : `${limit.share} x ${limit.setting}`

function raised(alarm: Alarm): string {
  if (alarm.on === 'state') {
    const state = code(`${alarm.state} = ${alarm.values.join(', ')}`)
    const { points = [], limit } = alarm.judges ?? {}
    return points.length === 0 ? state : `${state}, ${code(points.join(', ') + (limit ? ` > ${levelText(limit)}` : ''))}`
  }
  const { points, side, limit } = alarm
  return code(`${points.join(', ')} ${side === 'over' ? '>' : '<'} ${levelText(limit)}`)
}
