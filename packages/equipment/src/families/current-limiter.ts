import { detectorFault, faultAlarm, silence, sounder, stateAlarm } from '../detecting.ts'
import {
  current,
  energy,
  overloadDelay,
  overloadTrip,
  overvoltage,
  residual,
  temperature,
  temperatureAlarm,
  totalPower,
  undervoltage,
  voltage,
} from '../electrical.ts'
import { temperatureAlarms, voltageAlarms } from '../electrical-alarms.ts'
import { family } from '../family.ts'

const fault = detectorFault('sensor', 'probe')

const limited = (key: string, label: { zh: string; en: string }) =>
  stateAlarm(`limit.${key}`, label, 'alarm', 'critical', 'output', [key])

/** Current-limiting electrical-fire protector: a solid-state switch cuts a short circuit before it can spark, and a sounder calls. */
export const currentLimiter = family({
  key: 'currentLimiter',
  label: { zh: '电气防火限流式保护器', en: 'Current-limiting protector' },
  level: 'device',
  icon: 'limiter',
  calls: ['GET /aesp/list', 'GET /aesp/details', 'PUT /aesp/silencing'],
  models: ['AESP'],
  points: [current('A'), voltage('A'), totalPower, residual, temperature('A'), temperature('N'), energy],
  states: [
    {
      key: 'output',
      label: { zh: '输出状态', en: 'Output' },
      values: [
        { key: 'on', label: { zh: '正常供电', en: 'Supplying' } },
        { key: 'short', label: { zh: '短路限流保护', en: 'Cut on short circuit' } },
        { key: 'overload', label: { zh: '过载限流保护', en: 'Cut on overload' } },
        { key: 'overtemperature', label: { zh: '超温保护', en: 'Cut on overtemperature' } },
      ],
    },
    sounder,
    fault,
  ],
  settings: [overloadTrip, overloadDelay, temperatureAlarm, overvoltage, undervoltage],
  actions: [silence],
  alarms: [
    limited('short', { zh: '短路限流保护动作', en: 'Cut on short circuit' }),
    limited('overload', { zh: '过载限流保护动作', en: 'Cut on overload' }),
    limited('overtemperature', { zh: '超温保护动作', en: 'Cut on overtemperature' }),
    ...temperatureAlarms(['temperature.a', 'temperature.n']),
    ...voltageAlarms(['voltage.a']),
    faultAlarm(fault),
  ],
})
