import type { Text } from '@linewarden/equipment'

/** What a rule is about, as lists of rules are grouped. */
export const ruleGroups = ['leakage', 'load', 'supply', 'equipment'] as const
export type RuleGroup = (typeof ruleGroups)[number]

interface RuleTexts {
  readonly group: RuleGroup
  /** What it looks at and when it raises a finding. */
  readonly meaning: Text
  /** What a person does first who finds it raised. */
  readonly advice: Text
}

/** What people read of each rule, by its key. */
export const ruleTexts: Readonly<Record<string, RuleTexts>> = {
  'leakage.step': {
    group: 'leakage',
    meaning: {
      zh: '每天用漏电底值（逐时均值的 20% 分位）与前 4 周基线比较，累积偏差越限且变化够大时提出；另按小时与同时段比较。',
      en: 'Compares the daily floor of the residual current (20th percentile of hourly means) with the four weeks before, and hours with hours alike; raised when it has stepped up and stays.',
    },
    advice: {
      zh: '逐路停用下游负载，看实时漏电值找出泄漏点；停电后测绝缘电阻。',
      en: 'Switch off downstream loads one by one and watch the live residual current; then test the insulation with the line off.',
    },
  },
  'leakage.drift': {
    group: 'leakage',
    meaning: {
      zh: '30 天漏电底值显著上升，且按趋势在期限内到达 0.5 IΔn 时提出。',
      en: 'Raised when the daily floors of 30 days rise significantly and would reach 0.5 IΔn within the horizon.',
    },
    advice: {
      zh: '检查潮湿处的电缆接头、水泵与加热器，晴雨天对照；停电后测绝缘电阻。',
      en: 'Inspect joints in damp places, pumps and heaters, and compare dry with wet days; test the insulation with the line off.',
    },
  },
  'arc.precursor': {
    group: 'leakage',
    meaning: {
      zh: '低于报警值的电弧半波次数比平时增多时提出（泊松累积和）。',
      en: 'Raised when arcing half-cycles below the alarm setting come more often than they used to (Poisson cumulated sum).',
    },
    advice: {
      zh: '检查插座、临时插排与接线端子有无松动和烧痕，更换可疑件。',
      en: 'Check sockets, extension leads and terminals for looseness and burn marks; replace what is suspect.',
    },
  },
  contact: {
    group: 'load',
    meaning: {
      zh: '同样电流下，某相端子比其他端子多发热：温度对电流平方拟合，连续两日超过限值时提出。',
      en: 'A terminal heats more than its neighbours at the same current: temperature is fitted against the square of the current, and raised at two daily looks above the limit.',
    },
    advice: {
      zh: '安排停电，按力矩紧固该端子，检查压接、氧化与变色，并测三相接触电阻。',
      en: 'Plan an outage: tighten the terminal to its torque, look for poor crimping, oxidation and discolouring, and measure the contact resistance of each phase.',
    },
  },
  overcurrent: {
    group: 'load',
    meaning: {
      zh: '任一相电流持续超过过载报警值（未设置时为额定电流）。',
      en: 'Any phase stays above the overload alarm setting, or above the rated current where none is set.',
    },
    advice: {
      zh: '减少或转移负载；查是否有设备堵转或长时间同时启动。',
      en: 'Shed or move load; look for a stalled motor or loads that run together.',
    },
  },
  'load.growth': {
    group: 'load',
    meaning: {
      zh: '近 10 周的周高峰电流显著上升，且按趋势在期限内接近额定电流。',
      en: 'Weekly peaks of ten weeks rise significantly and would come close to the rated current within the horizon.',
    },
    advice: { zh: '把部分负载移到其他线路，或申请增容。', en: 'Move load to other lines, or have the supply enlarged.' },
  },
  'load.again': {
    group: 'load',
    meaning: {
      zh: '最近同类日的同一小时曾超过过载预警值，今天可能再次出现；只在当天提示，不生成事件。',
      en: 'The same hour of the last days alike passed the overload warning and may do so today: shown for the day, no event.',
    },
    advice: { zh: '错开该时段的大负载。', en: 'Keep large loads out of that hour.' },
  },
  unbalance: {
    group: 'supply',
    meaning: {
      zh: '三相电压不平衡度的 10 分钟值持续超限；相电压机型按最大偏差计。',
      en: 'Ten-minute voltage unbalance stays above its limit; models that measure phase to neutral are evaluated by the largest deviation from the mean.',
    },
    advice: {
      zh: '把单相负载调整到轻载相，复核零线电流。',
      en: 'Move single-phase loads to the phase that carries least, and check the neutral current.',
    },
  },
  phaseLoss: {
    group: 'supply',
    meaning: {
      zh: '合闸线路的一相失电，或由电动机反馈供电而无电流。',
      en: 'One phase of a closed line is dead, or is fed back by motors and carries no current.',
    },
    advice: {
      zh: '立即停用该线路的电动机，查熔断器、接触器与进线端子。',
      en: 'Stop the motors of this line at once; check fuses, contactors and incoming terminals.',
    },
  },
  neutral: {
    group: 'supply',
    meaning: {
      zh: '各相电压一高一低而线电压不变：供电零线断开或接触不良。',
      en: 'Phase voltages part while the voltages between phases stay the same: the neutral of the supply is broken or loose.',
    },
    advice: {
      zh: '立即分断总开关，检查零线接头；修复前不要送电。',
      en: 'Open the main switch at once and check the neutral joints; do not energise before it is mended.',
    },
  },
  'voltage.range': {
    group: 'supply',
    meaning: {
      zh: '7 天内电压的 10 分钟值超出允许偏差的时间占比过大。',
      en: 'Ten-minute voltages lie outside the permitted band for too much of seven days.',
    },
    advice: {
      zh: '与供电部门核对变压器分接头；检查线路压降与零线。',
      en: 'Have the transformer tap checked by the supplier; check the voltage drop of the line and its neutral.',
    },
  },
  harmonic: {
    group: 'supply',
    meaning: {
      zh: '电压总谐波畸变率持续超限。现有设备均不测量谐波。',
      en: 'The voltage stays distorted beyond its limit. No equipment here measures harmonics.',
    },
    advice: { zh: '检查变频器与整流负载，考虑加装滤波装置。', en: 'Check drives and rectifiers; consider a filter.' },
  },
  'diagram.disagrees': {
    group: 'supply',
    meaning: {
      zh: '供电单线图上不带电的母线，实测有电压并持续超限时提出：可能反送电，也可能供电关系登记错误。',
      en: 'A voltage stays where the single-line diagram has none: it is fed back, or what feeds it is registered wrong.',
    },
    advice: {
      zh: '按带电处理，勿凭图判断停电；查发电机、光伏和临时电源，核对该线路的上级登记。',
      en: 'Treat it as live and trust no drawing; look for generators, PV and temporary supplies, and check which feeder is registered.',
    },
  },
  offline: {
    group: 'equipment',
    meaning: {
      zh: '网关或设备离线过久，期间无人监视该线路。',
      en: 'A gateway or a device has been away for long, and nothing watches its lines.',
    },
    advice: {
      zh: '检查供电、天线与网络；确认 SIM 卡或宽带未停用。',
      en: 'Check its supply, antenna and network, and whether the SIM card or line was cut off.',
    },
  },
  'link.unstable': {
    group: 'equipment',
    meaning: {
      zh: '网关或设备在一小时内反复断线。',
      en: 'A gateway or a device is lost and found again and again within an hour.',
    },
    advice: { zh: '检查信号强度、天线位置与供电接触。', en: 'Check signal strength, the place of the antenna and its supply.' },
  },
  'trips.often': {
    group: 'equipment',
    meaning: { zh: '线路的保护反复动作。', en: 'The protection of a line operates again and again.' },
    advice: {
      zh: '不要再次试送，先查明跳闸原因并记录。',
      en: 'Do not close it again before the cause of the trips is found and recorded.',
    },
  },
  wear: {
    group: 'equipment',
    meaning: {
      zh: '按分断次数与分断电流累计的触头电寿命，自首次接入起算。',
      en: 'Life of the contacts used up by openings and the currents they broke, counted since it was first seen.',
    },
    advice: {
      zh: '备好同型断路器，在年检停电时更换。',
      en: 'Have a breaker of the same type ready and replace it at the next planned outage.',
    },
  },
  'release.slow': {
    group: 'equipment',
    meaning: { zh: '漏电自检的脱扣时间逐次变长。', en: 'The release takes longer from one leakage self-test to the next.' },
    advice: { zh: '清灰后复测；仍偏慢则更换断路器。', en: 'Clean it and test again; replace the breaker if it is still slow.' },
  },
}
