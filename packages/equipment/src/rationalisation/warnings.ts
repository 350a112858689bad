import { rationale } from './rationale.ts'

/** Early warning: what wears, loosens or gives way, before an alarm. */
export const warningRationales = [
  rationale('contact', {
    cause: [
      '端子螺钉松动、压接不良、铜铝直连或触头氧化，接触电阻变大。',
      'A loose terminal screw, poor crimping, copper on aluminium or oxidised contacts: the contact resistance has risen.',
    ],
    consequence: [
      '发热与电流平方成正比，氧化又使电阻继续变大，最终烧毁端子、引燃绝缘。',
      'Heat grows with the square of the current, and oxidation drives the resistance further, until the terminal burns and ignites its insulation.',
    ],
    action: [
      '先转移或减小该线路负荷；用红外测温与同型端子在相近负荷下对比。停电、验电后按规定力矩紧固，检查压接、氧化、变色，测各相接触电阻；触头烧蚀的更换断路器。',
      'Move or reduce the load of the line first, and compare by thermography with like terminals at similar load. Isolate, prove dead, tighten to the stated torque; look for poor crimping, oxidation and discolouring, measure the contact resistance of each phase. Replace a breaker whose contacts are burnt.',
    ],
    time: [
      '报警级立即减负荷；预警级当天安排停电；提示级列入最近一次停电检修',
      'Level alarm: shed load at once. Warning: plan an outage today. Notice: at the next outage',
    ],
    priority: [
      '不处理会发展成火灾，但一般还有时间安排停电。',
      'Left alone it becomes a fire, but there is mostly time to plan an outage.',
    ],
    basis: [
      '高峰负荷下比其他相多出的温升：4 K 起提示，15 K 起预警（NETA MTS：相近负荷下 4~15 K 可能有缺陷，15 K 以上应立即处理）；相对温差 80% 及以上，或按高峰电流推算将超过温度报警值，为报警级（DL/T 664）。按安培平方比较，不受环境温度影响。',
      'Rise above the other phases at peak load: notice from 4 K, warning from 15 K (NETA MTS, similar load: 4 to 15 K a probable deficiency, above 15 K repair at once). Alarm from a relative difference of 80 % (DL/T 664), or where the temperature expected at peak current passes the temperature alarm. Compared per ampere squared, so the ambient does not count.',
    ],
  }),
  rationale('arc.precursor', {
    cause: [
      '插头插座接触不良、接线松动、绝缘破损或受挤压，产生间歇性电弧；也可能是带电刷电机或调光器。',
      'A poor plug contact, loose wiring, damaged or crushed insulation makes an arc now and then; it may also be a brush motor or a dimmer.',
    ],
    consequence: [
      '电弧次数增多后会达到故障电弧报警，并可能先引燃绝缘。',
      'More of it becomes an arc-fault alarm, and may ignite insulation before.',
    ],
    action: [
      '对照出现的时段找出当时在用的设备；停电后检查插座、插排、接线盒和近期施工处有无松动、烧痕，更换可疑件。确认由某台正常电机引起的，按「属于正常变化」登记。',
      'See which loads ran in those hours. With the line off check sockets, extension leads, boxes and recent work for looseness and burn marks, and replace what is suspect. Where a sound motor is the cause, record it as a normal change.',
    ],
    time: ['3 天内', 'Within 3 days'],
    priority: [
      '电弧可直接引燃，只是还没有达到报警次数。',
      'An arc ignites directly; it has only not come to the count of an alarm.',
    ],
    basis: [
      '每小时最大半波数 5 个起计、低于报警值（GB 14287.4：1 s 内 14 个及以上应报警，9 个不应报警）；3 天内至少 3 小时，且明显多于前 28 天（泊松累积和）。',
      'Hours with 5 arcing half-cycles or more, below the alarm (GB 14287.4: 14 within 1 s must alarm, 9 must not): at least 3 such hours in 3 days, and significantly more than in the 28 days before (Poisson cumulated sum).',
    ],
  }),
  rationale('leakage.step', {
    cause: [
      '新接入泄漏较大的设备，或某处绝缘突然变差：进水、电缆破损、N 线与 PE 线相碰。',
      'A load with more leakage was added, or insulation gave way at once: water, a damaged cable, N touching PE.',
    ],
    consequence: [
      '裕度突然变小，遇潮湿或再投设备会跳闸；绝缘损坏处可能发热。',
      'The margin has shrunk at once: damp weather or one more load may trip it, and a damaged spot may heat.',
    ],
    action: [
      '先核对当天是否新增设备或施工。逐路停用下游负载，看实时漏电值找出泄漏点；停电后测绝缘电阻。确是新增设备的正常泄漏，按「属于正常变化」登记。',
      'See first whether something was added or worked on that day. Switch off downstream loads one by one and watch the live residual current; then test the insulation with the line off. Normal leakage of new equipment is recorded as a normal change.',
    ],
    time: ['一周内；预警级及以上当天', 'Within a week; at level warning or above today'],
    priority: [
      '变化已发生但仍低于动作值，处理及时可避免停电。',
      'It has happened, still below the operating value: dealing with it in time saves an outage.',
    ],
    basis: [
      '每天漏电底值（逐时均值的 20% 分位）比前 4 周中位数高出 0.10 IΔn 且不小于 3 mA，累积偏差越限；或连续 3 小时比同时段高出 0.15 IΔn 且不小于 5 mA。正常泄漏宜不大于 0.3 IΔn（GB/T 13955，IEC 60364-5-53）。',
      'The daily floor (20th percentile of hourly means) is 0.10 IΔn and at least 3 mA above the median of four weeks before, by a cumulated sum; or 3 hours in a row are 0.15 IΔn and at least 5 mA above those hours before. Normal leakage should stay below 0.3 IΔn (GB/T 13955, IEC 60364-5-53).',
    ],
  }),
  rationale('leakage.drift', {
    cause: [
      '绝缘逐渐老化、积灰受潮，电缆接头或加热管封口进潮，水泵机械密封失效。',
      'Insulation ages, gathers dust and damp, moisture enters a joint or the seal of a heater, the seal of a pump fails.',
    ],
    consequence: [
      '按此趋势将到达 0.5 IΔn，漏电保护从此值起就可能动作停电。',
      'By this trend it reaches 0.5 IΔn, from where the residual current device may trip.',
    ],
    action: [
      '先查潮湿处的接头、水泵和加热器，对照晴雨天数值；停电后逐段测绝缘电阻，低于 0.5 MΩ（GB 50150）的不得送电。更换后再看一周。不要用调高动作值代替处理。',
      'Inspect joints in damp places, pumps and heaters first, and compare dry with wet days. With the line off test the insulation piece by piece: below 0.5 MΩ (GB 50150) it is not energised. Look for a week after the repair. Raising the setting mends nothing.',
    ],
    time: ['到达前：见「预计到达」；没有预计时两周内', 'Before the time that is shown; where none is shown, within two weeks'],
    priority: ['缓慢发展，有数周时间安排。', 'It grows slowly: there are weeks to plan it.'],
    basis: [
      '30 天底值显著上升（Mann-Kendall），30 天升高不小于 0.08 IΔn 和 3 mA，且 60 天内将到 0.5 IΔn：剩余电流动作保护器允许在 0.5~1 IΔn 之间动作（GB/T 16916、GB/T 16917，IEC 61008、61009）。',
      'Floors of 30 days rise significantly (Mann-Kendall), by at least 0.08 IΔn and 3 mA, and reach 0.5 IΔn within 60 days: a residual current device may act between 0.5 and 1 IΔn (IEC 61008, 61009; GB/T 16916, 16917).',
    ],
  }),
  rationale('neutral', {
    cause: [
      '供电零线断开或接触不良：变压器、进户或总开关处零线松脱、烧断。',
      'The neutral of the supply is broken or loose: at the transformer, the service entry or the main switch.',
    ],
    consequence: [
      '负荷轻的相电压可升到 300 V 以上，几秒到几分钟内烧毁家电并可能起火；保护接零的外壳可能带电。',
      'The phase with little load may rise above 300 V: appliances burn within seconds or minutes, and cases bonded to the neutral may become live.',
    ],
    action: [
      '立即分断总开关，通知用户拔下电器，勿触碰金属外壳。验电后从总开关向上逐点检查零线接头；供电侧断零由供电部门处理。修复并测三相电压正常前不要送电。',
      'Open the main switch at once, have appliances unplugged, touch no metal case. Prove dead and check the neutral joints from the main switch upwards; upstream of it the supplier does. Do not energise before it is mended and the phase voltages measure right.',
    ],
    time: ['立即', 'At once'],
    priority: ['几分钟内可能烧毁设备、起火或伤人。', 'Within minutes it may burn equipment, start a fire or hurt somebody.'],
    basis: [
      '相电压最大与最小之比大于 1.10、最大超过参考 5%，而由三相电压算出的线电压与断前相差不到 2%，持续 10 s：零点漂移时线电压不变，区别于电压暂降、暂升。',
      'The largest phase voltage is more than 1.10 times the smallest and 5 % above its reference, while the voltage between phases stays within 2 %, for 10 s: a floating neutral moves inside an unchanged triangle, unlike a sag or swell.',
    ],
  }),
  rationale('phaseLoss', {
    cause: [
      '一相熔断器熔断、接触器或开关触头不通、进线端子松脱，或上级缺相。',
      'A blown fuse, a pole of a contactor or switch that does not conduct, a loose incoming terminal, or a phase missing upstream.',
    ],
    consequence: [
      '三相电动机缺相运行，电流升高，数分钟内可能烧毁；单相负荷失电。',
      'Three-phase motors run on two phases at a higher current and may burn within minutes; single-phase loads are dead.',
    ],
    action: [
      '立即停用该线路的电动机。看上下级线路：都缺相查上级或报供电部门；只此一路，停电验电后查熔断器、接触器触头和进线端子。换熔断器须先查明熔断原因。',
      'Stop the motors of this line at once. Look at the lines above and beside: all without the phase, check upstream or call the supplier; this one alone, isolate, prove dead, check fuses, contactor poles and incoming terminals. Find out why a fuse blew before replacing it.',
    ],
    time: ['5 分钟内停电动机', 'Stop motors within 5 minutes'],
    priority: ['电动机几分钟内可能烧毁。', 'Motors may burn within minutes.'],
    basis: [
      '线路合闸，一相低于 0.2 倍额定电压而其他相不低于 0.8 倍，持续 3 s；或一相 0.2~0.8 倍（电动机反馈）且电流小于 2% 额定、其他相有负荷，持续 10 s。',
      'Line closed, one phase below 0.2 of the rated voltage and the others at 0.8 or more, for 3 s; or one phase at 0.2 to 0.8 (fed back by motors) with less than 2 % of the rated current while the others carry load, for 10 s.',
    ],
  }),
  rationale('overcurrent', {
    cause: [
      '负荷过多或同时使用，电动机堵转或频繁启动，或断路器选型偏小。',
      'Too much load, or too much at once; a stalled or often started motor; a breaker chosen too small.',
    ],
    consequence: [
      '电缆和端子长期过热，绝缘加速老化；继续增加会过载跳闸。',
      'Cable and terminals run hot and their insulation ages quickly; more of it trips the line.',
    ],
    action: [
      '让用户停用或错开大功率设备；查有无电动机堵转。反复出现的把负荷移到其他线路，或核算电缆载流量后更换断路器，不得只换大断路器。',
      'Have large loads switched off or kept apart in time; look for a stalled motor. Where it comes again move load to other lines, or check the rating of the cable before a larger breaker is fitted, never the breaker alone.',
    ],
    time: ['30 分钟内', 'Within 30 minutes'],
    priority: [
      '断路器仍能保护电缆，先减负荷可避免停电。',
      'The breaker still protects the cable; shedding load saves an outage.',
    ],
    basis: [
      '任一相电流高于过载报警值（未设置时为额定电流）连续 10 分钟，降到 0.95 倍返回。断路器约定不脱扣电流为 1.13 In（微型，GB/T 10963.1）或 1.05 In（塑壳，GB/T 14048.2），在此以下保护不动作。',
      'Any phase above the overload alarm (the rated current where none is set) for 10 minutes; returns at 0.95 of it. Up to the conventional non-tripping current, 1.13 In (IEC 60898-1) or 1.05 In (IEC 60947-2), the breaker does not act.',
    ],
  }),
  rationale('load.growth', {
    cause: [
      '用电设备逐渐增多，或季节性负荷（空调、电采暖）上升。',
      'More equipment is used, or seasonal load (cooling, heating) rises.',
    ],
    consequence: [
      '按此趋势将接近额定电流，随后出现过载报警和跳闸。',
      'By this trend it comes close to the rated current: overload alarms and trips follow.',
    ],
    action: [
      '核对新增设备；把部分负荷移到其他线路，或核算电缆与上级容量后申请增容。季节性增长按「属于正常变化」登记。',
      'See what was added; move load to other lines, or have the supply enlarged after checking cable and upstream capacity. Seasonal growth is recorded as a normal change.',
    ],
    time: ['数周', 'Weeks'],
    priority: ['只作规划提示，目前没有过载。', 'A hint for planning: nothing is overloaded yet.'],
    basis: [
      '近 10 周的周高峰（逐时最大值的 95% 分位）显著上升不小于 0.06 In，现已超过 0.6 In，8 周内将到 0.9 In。',
      'Weekly peaks of ten weeks (95th percentile of hourly maxima) rise significantly by at least 0.06 In, are above 0.6 In, and reach 0.9 In within 8 weeks.',
    ],
  }),
  rationale('load.again', {
    cause: [
      '固定时段的大负荷同时使用，如做饭、空调、充电。',
      'Large loads run together at a fixed time: cooking, cooling, charging.',
    ],
    consequence: ['今天同一时段可能再次过载，严重时跳闸。', 'The same hour may be overloaded again today and trip.'],
    action: [
      '提前通知用户错开该时段的大负荷；每周都出现的按负荷增长处理。',
      'Tell users to keep large loads out of that hour; what comes every week is dealt with as load growth.',
    ],
    time: ['该时段之前', 'Before that hour'],
    priority: ['只是预计，尚未发生，不生成事件。', 'It is expected only and has not happened: no event is made.'],
    basis: [
      '最近 3 个同类日中有 2 天在同一小时超过过载预警值。',
      'The same hour passed the overload warning on 2 of the last 3 days alike.',
    ],
  }),
  rationale('unbalance', {
    cause: [
      '单相负荷分配不均，或供电侧不平衡、零线接触不良。',
      'Single-phase loads are spread unevenly, or the supply is unbalanced, or the neutral is poor.',
    ],
    consequence: [
      '电动机因负序电流发热、出力下降；零线电流增大发热。',
      'Motors heat by negative-sequence current and lose torque; the neutral carries more and heats.',
    ],
    action: [
      '看三相电流：某相明显偏大，把单相负荷调到轻载相，并复核零线电流；电流均衡而电压不平衡，查零线接头并联系供电部门。超过 4% 时减小三相电动机负荷。',
      'Look at the phase currents: where one is much larger move single-phase loads and check the neutral current; where currents are even check the neutral joints and call the supplier. Above 4 % relieve three-phase motors.',
    ],
    time: ['一周内；超过 4% 当天', 'Within a week; above 4 % today'],
    priority: ['影响寿命和损耗，没有直接危险。', 'It costs life and losses; no direct danger.'],
    basis: [
      '10 分钟值大于 2% 持续 30 分钟提示，大于 4% 持续 10 分钟预警（GB/T 15543：正常不超过 2%，短时不超过 4%；EN 50160：2%）。测相电压的机型按最大偏差与平均值之比计。',
      'Ten-minute values above 2 % for 30 minutes: notice; above 4 % for 10 minutes: warning (GB/T 15543: 2 %, for a short time 4 %; EN 50160: 2 %). Models that measure phase to neutral: largest deviation over the mean.',
    ],
  }),
  rationale('voltage.range', {
    cause: [
      '变压器分接头不合适、线路过长或截面小、负荷过重，或零线接触不良。',
      'A wrong transformer tap, a line too long or too thin, too much load, or a poor neutral.',
    ],
    consequence: [
      '偏高缩短电器寿命，偏低使电动机过流、设备工作不正常。',
      'High voltage shortens the life of equipment; low voltage makes motors draw more and equipment misbehave.',
    ],
    action: [
      '看各线路：全部偏离，请供电部门核对分接头；只在重负荷时偏低，查线路压降和接头；三相一高一低，先按断零检查零线。',
      'Look at the lines: all off, have the tap checked by the supplier; low only under load, check voltage drop and joints; phases apart, check the neutral first.',
    ],
    time: ['两周内', 'Within two weeks'],
    priority: ['电能质量问题，没有直接危险。', 'A matter of power quality, no direct danger.'],
    basis: [
      '7 天内 10 分钟值超出 198~235.4 V 的时间大于 5%（GB/T 12325：220 V 允许偏差 +7%、-10%）；IEC 项目为额定电压 ±10%（EN 50160）。',
      'Ten-minute values outside 198 to 235.4 V for more than 5 % of 7 days (GB/T 12325: 220 V +7/-10 %); projects to IEC: rated voltage ± 10 % (EN 50160).',
    ],
  }),
  rationale('harmonic', {
    cause: [
      '变频器、整流器、开关电源、LED 驱动等非线性负荷。',
      'Non-linear loads: drives, rectifiers, switched supplies, LED drivers.',
    ],
    consequence: [
      '零线和变压器发热，电容器过流损坏，保护和计量误差增大。',
      'Neutral and transformer heat, capacitors are overloaded, protection and metering err.',
    ],
    action: [
      '查变频器与整流负荷的投入时段，测零线电流；停用无滤波的电容器，必要时加装滤波装置。',
      'See when drives and rectifiers run and measure the neutral current; switch off capacitors without reactors, fit a filter if need be.',
    ],
    time: ['一个月内', 'Within a month'],
    priority: ['电能质量问题，发展缓慢。', 'A matter of power quality that grows slowly.'],
    basis: [
      '0.38 kV 电压总谐波畸变率大于 5% 持续 30 分钟（GB/T 14549）。',
      'Total harmonic distortion of the voltage above 5 % for 30 minutes (GB/T 14549, 0.38 kV).',
    ],
  }),
  rationale('wear', {
    cause: ['分合次数多，或多次分断大电流、短路电流。', 'Many operations, or large and short-circuit currents broken.'],
    consequence: [
      '触头烧损，接触发热；到寿命后可能不能可靠分断短路电流。',
      'Contacts erode and heat; past their life they may not break a short circuit.',
    ],
    action: [
      '备好同型号断路器，在最近一次停电时更换；更换前查有无过热、分合不畅。频繁分合改由接触器承担。',
      'Have a breaker of the same type ready and replace it at the next outage; meanwhile look for heat and sluggish operation. Leave frequent switching to a contactor.',
    ],
    time: [
      '60%：列入年度计划；80%：下次停电；100%：一周内',
      '60 %: into the plan of the year; 80 %: next outage; 100 %: within a week',
    ],
    priority: ['可以计划更换；到 100% 后不再可靠。', 'It can be planned; past 100 % it is no longer reliable.'],
    basis: [
      '自首次接入起，按每次分断电流累计：额定电流下微型断路器 4000 次（GB/T 10963.1，IEC 60898-1）；塑壳断路器 100 A 及以下 1500 次、315 A 及以下 1000 次（GB/T 14048.2，IEC 60947-2），型号另有规定的从其规定；每次短路跳闸计 10%。60%、80%、100% 三级。',
      'Cumulated by the current of each opening since it was first connected: at rated current 4,000 for miniature breakers (IEC 60898-1), 1,500 to 100 A and 1,000 to 315 A for moulded-case ones (IEC 60947-2), or as the model states; a short-circuit trip counts 10 %. Levels at 60, 80 and 100 %.',
    ],
  }),
  rationale('release.slow', {
    cause: [
      '脱扣机构积灰、润滑干涸、锈蚀，或脱扣线圈老化。',
      'The release gathers dust, its grease dries, it rusts, or its coil ages.',
    ],
    consequence: [
      '触电时切断变慢；超过 0.3 s 就不再满足人身保护要求，以后可能拒动。',
      'It disconnects later when somebody gets a shock: above 0.3 s it no longer protects people as it must, and may fail to trip.',
    ],
    action: [
      '清灰后再做两次漏电自检；仍偏慢就更换断路器。达到 0.2 s 的当天更换，期间不在该线路使用手持电器。',
      'Clean it and do two more leakage self-tests; replace the breaker if it is still slow. From 0.2 s replace it today, and use no hand-held tools on the line meanwhile.',
    ],
    time: ['提示级一个月内；0.2 s 起当天', 'Notice: within a month; from 0.2 s today'],
    priority: [
      '漏电保护正在失效，但目前仍在标准之内。',
      'The residual current protection is failing, still within its standard.',
    ],
    basis: [
      '最近 3 次自检中位数达到最初 5 次的 1.5 倍且慢 40 ms 提示；达到 200 ms，或 90 天内将到 300 ms 预警：一般型在 IΔn 下最大分断时间 0.3 s（GB/T 16916.1、GB/T 16917.1，IEC 61008-1、61009-1）。',
      'Median of the last 3 self-tests at 1.5 times that of the first 5 and 40 ms more: notice; 200 ms, or 300 ms within 90 days: warning. At IΔn the general type has 0.3 s (IEC 61008-1, 61009-1; GB/T 16916.1, 16917.1).',
    ],
  }),
  rationale('trips.often', {
    cause: [
      '故障未排除就反复送电，或负荷长期过大、漏电间歇出现。',
      'It was closed again with the fault still there, or load is too large, or leakage comes and goes.',
    ],
    consequence: [
      '每次合到故障上都有短路、起火和触电危险，断路器触头加速烧损。',
      'Each closing onto a fault risks short circuit, fire and shock, and wears the contacts.',
    ],
    action: [
      '不要再次试送。看各次跳闸分析里的原因和电流：短路查电缆和设备，过载减负荷，漏电测绝缘；排除并登记原因后才能合闸。',
      'Do not close it again. Read the cause and current of each trip in its analysis: short circuit, check cable and loads; overload, shed; leakage, test insulation. Close only when it is mended and the cause recorded.',
    ],
    time: ['再次合闸之前', 'Before it is closed again'],
    priority: [
      '每次跳闸另有报警；反复跳闸说明原因没有排除。',
      'Each trip has its own alarm; again and again means the cause is still there.',
    ],
    basis: [
      '24 小时内保护动作 3 次，或 7 天内 5 次（本平台默认值，可改）。',
      '3 protective trips within 24 hours, or 5 within 7 days (default of this platform, can be changed).',
    ],
  }),
  rationale('link.unstable', {
    cause: [
      '信号弱、天线松动、供电接触不良，或总线干扰。',
      'A weak signal, a loose aerial, a poor supply contact, or interference on the bus.',
    ],
    consequence: [
      '报警可能迟到，远程操作可能失败；就地保护不受影响。',
      'Alarms may come late and remote operations fail; local protection is not affected.',
    ],
    action: [
      '看信号强度和掉线时段；移动天线，紧固电源端子，查 RS-485 屏蔽与终端电阻。同项目多台一起掉线，查网络。',
      'Look at signal strength and when it is lost; move the aerial, tighten supply terminals, check shielding and termination of RS-485. Several of a project together: check the network.',
    ],
    time: ['一周内', 'Within a week'],
    priority: ['仍能自行恢复，没有正在发生的危险。', 'It still comes back by itself, no danger is under way.'],
    basis: ['1 小时内断线 6 次（本平台默认值，可改）。', '6 losses within an hour (default of this platform, can be changed).'],
  }),
  rationale('diagram.disagrees', {
    cause: [
      '发电机、光伏、UPS 或临时电源反送电；上级线路登记错误；开关上报位置与实际不符。',
      'A generator, PV, an uninterruptible or a temporary supply feeds back; the upstream feeder is registered wrong; a switch is not where it reports to be.',
    ],
    consequence: [
      '有人按图停电后在带电部位作业，会触电。',
      'Somebody who isolates by the drawing works on what is live, and may be killed.',
    ],
    action: [
      '按带电处理，作业前验电。查备用电源和联络开关，核对该线路的上级；登记错误的在线路“控制”页更正，反送电的先断开其电源并上锁挂牌。',
      'Treat it as live; prove dead before any work. Look for standby supplies and ties, and check the upstream feeder: correct it in the Control tab of the line; open what feeds back, lock it and tag it.',
    ],
    time: ['当天；有人要在此作业的，立即', 'Today; at once where somebody is to work there'],
    priority: ['没有正在发生的故障，但会误导停电作业。', 'Nothing has failed yet, but it misleads whoever isolates.'],
    basis: [
      '母线上有线路实测相电压高于 110 V，而单线图上它与任何电源之间都有断开的开关，且持续 60 秒（本平台默认值，可改）；一致满 60 秒后返回。',
      'A line on the bus measures more than 110 V while the diagram has an open switch between it and every source, for 60 s (default of this platform, can be changed); it returns after 60 s without.',
    ],
  }),
  rationale('offline', {
    cause: [
      '断电、网络或 SIM 卡停用、设备损坏，或已拆除而未登记。',
      'No supply, a network or SIM card cut off, a failed device, or one taken out and not recorded.',
    ],
    consequence: [
      '长时间无监视：此间的漏电、过热、火灾都不会报警；就地保护不受影响。',
      'Nothing is watched for long: leakage, heat or fire raise no alarm. Local protection is not affected.',
    ],
    action: [
      '到现场查供电、天线和网络，确认 SIM 卡或宽带未欠费；已拆除的在平台停用或删除。',
      'Check supply, antenna and network on site, and whether the SIM card or line was cut off; what was taken out is disabled or removed here.',
    ],
    time: ['当天', 'Today'],
    priority: ['离线报警已经发过，此处提醒还没有恢复。', 'Its loss was an alarm before; this reminds that it is still away.'],
    basis: [
      '离线满 6 小时，上报周期长的为 3 个周期。从未上线和已停用的不计。',
      'Away for 6 hours, or three reporting periods where those are longer. What never was online, or is disabled, does not count.',
    ],
  }),
]
