import { rationale } from './rationale.ts'

/** Measured values of lines: residual current, load, temperature, voltage. */
export const electricalRationales = [
  rationale('residual.notice', {
    cause: [
      '线路或设备绝缘开始下降、受潮，或开关电源、变频器等的滤波电容漏电流累加。',
      'Insulation of the line or a load begins to give way or is damp, or leakage of filter capacitors (power supplies, drives) adds up.',
    ],
    consequence: [
      '现在不会跳闸，但裕度变小；遇到潮湿天气或再投入设备时可能误跳。',
      'It does not trip yet, but the margin shrinks: wet weather or one more load may trip it.',
    ],
    action: [
      '看近 30 天曲线：随负荷起伏多为设备固有泄漏，只升不降多为绝缘劣化。列入下次巡检，测绝缘电阻。',
      'Look at the last 30 days: what follows the load is usually leakage of equipment, what only rises is insulation. Put the line on the next round and measure its insulation resistance.',
    ],
    time: ['数天到数周', 'Days to weeks'],
    priority: ['只作提示，不需要马上有人去。', 'A hint: nobody has to go at once.'],
    basis: [
      '动作值 IΔn 的 30%。GB/T 13955 要求正常泄漏电流不大于额定剩余动作电流的 30%。',
      '30 % of the rated residual operating current IΔn: normal leakage should stay below it (GB/T 13955; IEC 60364-5-53).',
    ],
  }),
  rationale('residual.warning', {
    cause: [
      '绝缘明显下降、接头或线盒进水、N 线与 PE 线误接或重复接地。',
      'Insulation has clearly given way, water is in a joint or box, or N touches PE behind the device.',
    ],
    consequence: [
      '剩余电流达到动作值的一半以上，国标允许在 50%~100% 之间动作，随时可能跳闸停电；持续泄漏可能引燃可燃物。',
      'Above half of the operating current the device may trip at any moment (it is allowed to between 50 and 100 %). Leakage that stays can ignite what burns.',
    ],
    action: [
      '逐路断开支路或逐台停用设备，找到使数值下降的那一路；测绝缘，重点查潮湿处和近期改动处。未查清前不要调高动作值。',
      'Switch off branches or loads one after the other until the value falls; measure insulation there, first where it is damp or was changed lately. Do not raise the setting before the cause is known.',
    ],
    time: ['当天', 'Today'],
    priority: ['还没有危及人身，但当天处理可以避免停电。', 'Nobody is in danger yet, but dealing with it today saves an outage.'],
    basis: [
      '动作值（或探测器报警值）的 50%，即 GB/T 16917、GB 14287.2 规定的可能动作下限。',
      '50 % of the operating current (or of the detector’s alarm value): the lower end of the range in which it may act (IEC 61009-1, GB/T 16917, GB 14287.2).',
    ],
  }),
  rationale('residual.alarm', {
    cause: [
      '接地故障正在形成：绝缘击穿、设备外壳碰线、电缆破损或大量进水。',
      'An earth fault is forming: insulation has broken down, a live part touches a case, a cable is damaged or under water.',
    ],
    consequence: [
      '即将跳闸；若保护拒动，外壳可能带电伤人，泄漏点发热可能起火。',
      'It is about to trip. If the device fails to, cases may become live and the leaking spot may start a fire.',
    ],
    action: [
      '不要触碰该线路的设备外壳。通知用户停用设备，能停电就先分闸；验电、测绝缘，排除后再合闸。',
      'Do not touch cases of equipment on this line. Have loads switched off and trip the line if it may go without supply; prove it dead, measure insulation, mend it, then close.',
    ],
    time: ['30 分钟内', 'Within 30 minutes'],
    priority: [
      '接近保护动作值，可能危及人身；还有几分钟到几十分钟可以主动处理，所以不是紧急。',
      'Close to the protective value, people may be in danger; there are still minutes to act before it trips, so it is not critical.',
    ],
    basis: ['动作值 IΔn 的 80%，留出在跳闸之前处理的时间。', '80 % of IΔn: leaves time to act before it trips.'],
  }),
  rationale('current.warning', {
    cause: [
      '负荷增加、三相不平衡，或临时接入大功率设备。',
      'Load has grown, phases are unbalanced, or something large was plugged in for a while.',
    ],
    consequence: [
      '导线和接头温度升高，绝缘加速老化；继续增加会过载跳闸。',
      'Conductors and terminals run hotter and insulation ages faster. More load will trip the line.',
    ],
    action: [
      '看是哪一相、什么时段；错峰用电或把负荷移到其他相。长期如此要核对导线截面和开关额定电流。',
      'See which phase and when; spread the load over time or phases. If it stays so, check the conductor size and the rating of the breaker.',
    ],
    time: ['数小时', 'Hours'],
    priority: ['导体有热容量，短时超过不伤线路。', 'Conductors have thermal capacity: a while above the value does no harm.'],
    basis: [
      '本线路的过载预警设定，默认为额定电流的 80%。延时 10 s 躲过启动电流。',
      'The overload warning set on this line, by default 80 % of the rated current. 10 s on-delay lets starting currents pass.',
    ],
  }),
  rationale('current.alarm', {
    cause: [
      '过载：负荷超过额定电流，或电动机堵转、启动异常。',
      'Overload: more than the rated current flows, or a motor is stalled or starts badly.',
    ],
    consequence: [
      '数分钟到数十分钟内热脱扣跳闸；接头不良处会先过热，可能起火。',
      'The thermal release trips within minutes. A bad terminal overheats first and may start a fire.',
    ],
    action: [
      '立即减负荷：先停用大功率、非重要设备。查接头温度；电流不降就分闸检查。不要为了不跳闸而调高设定。',
      'Shed load at once, the large and less important first. Check terminal temperatures; trip the line if the current does not fall. Do not raise the setting to keep it closed.',
    ],
    time: ['10 分钟', '10 minutes'],
    priority: ['设备正在受损，很快会停电。', 'Equipment is being damaged and the line will soon be without supply.'],
    basis: [
      '本线路的过载报警设定，默认为额定电流；GB/T 10963、IEC 60898 约定不脱扣电流为 1.13 In，约定脱扣电流为 1.45 In。',
      'The overload alarm set on this line, by default the rated current; conventional non-tripping and tripping currents are 1.13 and 1.45 In (IEC 60898, GB/T 10963).',
    ],
  }),
  rationale('temperature.warning', {
    cause: [
      '接线端子松动、氧化或负荷偏大；箱内通风不良、环境温度高。',
      'A terminal is loose or oxidised, load is high, or the cabinet is badly ventilated or hot.',
    ],
    consequence: [
      '接触电阻越热越大，温度会加速上升。',
      'Contact resistance grows with heat, so temperature rises faster and faster.',
    ],
    action: [
      '对照电流：电流不大而温度高，多为接头松动。安排停电紧固端子，用力矩扳手；检查烧蚀和变色。',
      'Compare with the current: hot at little load is usually a loose terminal. Plan an outage, tighten terminals to their torque, look for burns and discolouring.',
    ],
    time: ['当天', 'Today'],
    priority: ['未到危险温度，但趋势一般不会自己回来。', 'Not yet dangerous, but it rarely gets better by itself.'],
    basis: [
      '温度报警设定的 85%。延时 5 s 防止瞬时干扰。',
      '85 % of the temperature alarm setting; 5 s on-delay against interference.',
    ],
  }),
  rationale('temperature.alarm', {
    cause: [
      '接头严重松动或烧蚀、持续过载、触头接触不良。',
      'A terminal is badly loose or burnt, overload lasts, or contacts are worn.',
    ],
    consequence: [
      '绝缘烧焦、打火，是电气火灾最常见的起因。',
      'Insulation chars and arcs: the most common beginning of an electrical fire.',
    ],
    action: [
      '先减负荷或分闸，温度不降必须停电。现场不要在带电时紧固端子。停电验电后处理接头，用红外测温复查。',
      'Shed load or trip the line; if it does not cool down it must go off. Never tighten terminals live. Prove it dead, mend the joint, check again with a thermal camera.',
    ],
    time: ['30 分钟内', 'Within 30 minutes'],
    priority: ['可能起火，但发展需要几十分钟。', 'It may start a fire, which takes tens of minutes to develop.'],
    basis: [
      '温度报警设定，按端子温升限值（GB/T 14048.1、IEC 60947-1）加环境温度选取。',
      'The temperature alarm setting, chosen from the permitted rise of terminals above ambient (IEC 60947-1, GB/T 14048.1).',
    ],
  }),
  rationale('voltage.over', {
    cause: [
      '中性线断开或接触不良、上级调压偏高、误接 380 V。',
      'The neutral is broken or loose, the supply runs high, or 400 V was connected by mistake.',
    ],
    consequence: [
      '单相设备烧毁；断零时三相电压互相拉偏，可在数秒内烧坏整层电器。',
      'Single-phase equipment burns out. With a broken neutral the phases drift apart and a whole floor may be damaged within seconds.',
    ],
    action: [
      '看三相电压：有高有低就是断零，立即分总开关，查中性线接头；三相都高，联系供电部门或调变压器分接头。',
      'Look at all phases: some high and others low means a broken neutral: trip the incomer at once and check the neutral joints. All high: call the utility or change the transformer tap.',
    ],
    time: ['几分钟', 'Minutes'],
    priority: [
      '会损坏设备，断零时很快；线路本身带有过压保护。',
      'It destroys equipment, quickly with a broken neutral; the line has its own overvoltage protection.',
    ],
    basis: [
      '本线路过压保护设定；GB/T 12325 规定 220 V 供电偏差上限 +7%（235 V）。',
      'The overvoltage setting of this line; supply should stay within +7 % of 220 V (GB/T 12325) or +10 % of 230 V (EN 50160).',
    ],
  }),
  rationale('voltage.under', {
    cause: [
      '上级压降大、变压器过载、接头接触不良，或缺相。',
      'Voltage drop upstream, an overloaded transformer, a bad joint, or a lost phase.',
    ],
    consequence: [
      '电动机电流增大、过热；接触器释放，照明闪烁。',
      'Motors draw more current and overheat, contactors drop out, lights flicker.',
    ],
    action: [
      '对比同箱其他线路：只有这一路低，查本路接头；都低，查上级开关和进线；只低一相，按缺相处理，先停电动机。',
      'Compare with other lines of the cabinet: this one only, check its joints; all of them, check upstream; one phase only, treat as lost phase and stop motors first.',
    ],
    time: ['1 小时', '1 hour'],
    priority: ['影响使用，一般不会立即造成损坏。', 'It disturbs, and seldom damages at once.'],
    basis: [
      '本线路欠压保护设定；GB/T 12325 规定 220 V 供电偏差下限 −10%（198 V）。不足额定值很多视为无电，不报欠压。',
      'The undervoltage setting of this line; supply should stay above −10 % of nominal (GB/T 12325, EN 50160). Far below it the line is taken for dead, not for low.',
    ],
  }),
  rationale('selfTest.failed', {
    cause: [
      '漏电保护脱扣机构卡涩、线圈或电子板故障，或剩余电流互感器断线。',
      'The release sticks, its coil or electronics failed, or the residual-current transformer is open.',
    ],
    consequence: [
      '发生触电或接地故障时保护不会动作，人会触电。',
      'It will not act when somebody touches a live part or earth faults: nobody is protected.',
    ],
    action: [
      '当作没有漏电保护处理：挂牌，停用该线路或改由上级漏保保护；再试一次仍不合格就更换，更换后做自检并记录。',
      'Treat the line as one without residual-current protection: hang a tag, take it out of use or feed it through another RCD. Test once more; if it fails again replace it, test and record.',
    ],
    time: ['当天', 'Today'],
    priority: [
      '保护失效而线路仍在运行；没有正在发生的故障，所以不是紧急。',
      'A protection is gone while the line runs; no fault is under way, so it is not critical.',
    ],
    basis: [
      '自检未在规定时间内脱扣。GB/T 13955 要求至少每月试验一次；IEC 61008、61009 规定最大分断时间。',
      'The device did not trip in time in its test. Monthly by GB/T 13955; break times by IEC 61008 and 61009.',
    ],
  }),
  rationale('battery.low', {
    cause: [
      '电池到寿命末期，或信号弱、频繁上报使耗电过快。',
      'The battery is at its end, or weak signal and frequent reports drain it.',
    ],
    consequence: [
      '数周内探测器停止工作，火灾或漏水时没有报警。',
      'The detector stops within weeks, and there will be no alarm of fire or water.',
    ],
    action: [
      '更换同型号电池，装回后按测试键确认上报；同批安装的一起检查。',
      'Fit a battery of the same type, press the test button and see it report; check others installed at the same time.',
    ],
    time: ['两周', 'Two weeks'],
    priority: ['还在工作，有时间安排。', 'It still works; there is time to plan.'],
    basis: ['剩余电量 15%，一般还能维持 15~30 天。', '15 % left usually lasts another 15 to 30 days.'],
  }),
  rationale('signal.weak', {
    cause: [
      '安装在金属箱、地下室，天线松动或被遮挡，基站覆盖差。',
      'It sits in a metal cabinet or basement, its aerial is loose or covered, or the network is weak there.',
    ],
    consequence: ['报警可能迟到或丢失，电池耗电加快。', 'Alarms may come late or not at all, and the battery drains faster.'],
    action: [
      '检查并外移天线，或换装高增益天线；仍弱就换运营商卡或加网关。',
      'Check the aerial and move it outside, or fit one with more gain; if that does not help, another operator’s card or a gateway.',
    ],
    time: ['一周', 'A week'],
    priority: ['报警通道变差，但还没有断。', 'The way of alarms is poor but not cut.'],
    basis: [
      '−115 dBm，NB-IoT 在此以下重传明显增多。延时 60 s 躲过瞬时波动。',
      '−115 dBm: below it NB-IoT repeats noticeably more. 60 s on-delay lets fading pass.',
    ],
  }),
]
