import { rationale } from './rationale.ts'

/** Detectors: fire, gas, arc, water, people; and what makes them blind. */
export const detectorRationales = [
  rationale('arc', {
    cause: [
      '线路破损、接头松动、插座或插头烧蚀产生串联或并联电弧。',
      'A damaged cable, a loose joint, or a burnt socket or plug makes a series or parallel arc.',
    ],
    consequence: [
      '可在数分钟内引燃绝缘和可燃物，是住宅电气火灾的主要起因。',
      'It may ignite insulation and what is near within minutes: a main cause of electrical fires in homes.',
    ],
    action: [
      '立即断开该线路，到现场检查有无焦味、烟、发热；逐段查插座、接线盒和近期施工处。未找到电弧点不得恢复供电。',
      'Switch the line off at once and go there: smell, smoke, heat. Check sockets, boxes and recent work piece by piece. No supply before the spot is found.',
    ],
    time: ['5 分钟', '5 minutes'],
    priority: ['直接的火灾危险。', 'Immediate danger of fire.'],
    basis: [
      '探测器按 GB 14287.4 在 1 s 内检出 14 个以上半周期电弧即报警，自己判断。',
      'The detector evaluates it itself: arcing half-cycles within one second (GB 14287.4, IEC 62606).',
    ],
  }),
  rationale('smoke.alarm', {
    cause: [
      '起火或阴燃；也可能是油烟、水蒸气、粉尘或昆虫。',
      'Fire or smouldering; it may also be cooking, steam, dust or an insect.',
    ],
    consequence: ['火势在 3~5 分钟内可能失控。', 'A fire may be out of control within 3 to 5 minutes.'],
    action: [
      '立即派人到现场或电话确认；看到烟火拨打 119，组织疏散，能安全操作时切断该区域电源。确认是误报再消音，并清洁探测器。',
      'Send or call somebody there at once. Smoke or fire seen: call the fire service, evacuate, cut supply of the area if that is safe. Silence only when it is known to be false, then clean the detector.',
    ],
    time: ['1 分钟', '1 minute'],
    priority: ['直接危及生命。', 'Immediate danger to life.'],
    basis: [
      '探测器自己判断，响应阈值按 GB 20517、EN 14604 出厂标定。',
      'The detector evaluates it itself, calibrated at the works to GB 20517 or EN 14604.',
    ],
  }),
  rationale('gas.low', {
    cause: [
      '燃气泄漏：软管老化脱落、灶具未关、阀门或接口松动。',
      'Gas leaks: an aged hose, an appliance left open, a loose valve or joint.',
    ],
    consequence: ['浓度继续升高会达到爆炸下限，遇电火花爆炸。', 'If it rises to the lower explosive limit a spark sets it off.'],
    action: [
      '不要开关任何电器和灯，不要在现场打电话。关燃气总阀，开门窗，人员撤离，到室外联系燃气公司。远程不要对该处分合闸。',
      'Switch nothing electrical on or off there, make no call inside. Close the gas valve, open windows, leave, call the gas company from outside. Do not operate lines of that place remotely.',
    ],
    time: ['2 分钟', '2 minutes'],
    priority: ['直接的爆炸危险。', 'Immediate danger of explosion.'],
    basis: [
      '探测器低限，一般为爆炸下限的 10%（GB 15322、EN 50194），自己判断。',
      'The low level of the detector, usually 10 % of the lower explosive limit (GB 15322, EN 50194); it evaluates it itself.',
    ],
  }),
  rationale('gas.high', {
    cause: ['大量燃气泄漏。', 'A large leak of gas.'],
    consequence: ['随时可能爆炸。', 'It may explode at any moment.'],
    action: [
      '立即疏散，不操作任何电器，也不要远程分合闸；到室外拨打 119 和燃气公司电话；确认切断阀已动作。',
      'Evacuate at once; operate nothing electrical, neither there nor remotely. Call the fire service and the gas company from outside. See that the shut-off valve has acted.',
    ],
    time: ['立即', 'At once'],
    priority: ['直接的爆炸危险。', 'Immediate danger of explosion.'],
    basis: [
      '探测器高限，一般为爆炸下限的 20%~25%（GB 15322、EN 50194），自己判断。',
      'The high level of the detector, usually 20 to 25 % of the lower explosive limit (GB 15322, EN 50194); it evaluates it itself.',
    ],
  }),
  rationale('gas.rising', {
    cause: [
      '轻微泄漏、通风不良，或使用酒精、喷雾剂等干扰气体。',
      'A slight leak, poor ventilation, or alcohol and sprays near the detector.',
    ],
    consequence: ['可能发展为燃气报警。', 'It may become a gas alarm.'],
    action: [
      '开窗通风，关闭灶具，用肥皂水查接口；浓度不回落就关总阀并报修。',
      'Ventilate, turn appliances off, check joints with soapy water; if it does not fall close the valve and call for repair.',
    ],
    time: ['10 分钟', '10 minutes'],
    priority: ['还未到报警浓度，早处理可避免疏散。', 'Below the alarm level: acting now avoids an evacuation.'],
    basis: [
      '低限设定的 50%。延时 10 s 躲过做饭、喷雾的瞬时浓度。',
      '50 % of the low level; 10 s on-delay lets cooking and sprays pass.',
    ],
  }),
  rationale('fire.residual', {
    cause: [
      '线路对地绝缘损坏，剩余电流达到火灾危险水平。',
      'Insulation to earth is damaged: residual current has reached what can start a fire.',
    ],
    consequence: [
      '泄漏点持续发热，可引燃电缆桥架、吊顶内可燃物。',
      'The leaking spot keeps heating and may ignite cable trays or what is above ceilings.',
    ],
    action: [
      '到现场确认无烟火；逐路断开支路找泄漏点，测绝缘。固有泄漏大的，核对后再由管理员调整报警值。',
      'See on site that nothing burns; switch off branches one by one to find the leak and measure insulation. Where equipment leaks by nature, an administrator adjusts the value after checking.',
    ],
    time: ['30 分钟内到场', 'On site within 30 minutes'],
    priority: ['火灾报警，按消防要求必须确认。', 'A fire alarm: it has to be confirmed.'],
    basis: [
      '探测器报警值 300~500 mA（GB 14287.2），自己判断。',
      'The alarm value of the detector, 300 to 500 mA (GB 14287.2); it evaluates it itself.',
    ],
  }),
  rationale('fire.temperature', {
    cause: ['电缆接头、母排或箱内过热。', 'A cable joint, busbar or cabinet overheats.'],
    consequence: ['绝缘炭化后短路起火。', 'Insulation chars, then short-circuits and burns.'],
    action: [
      '减负荷或停电，到现场测温，检查接头；有烟拨打 119，使用二氧化碳或干粉灭火器，不用水。',
      'Shed load or isolate, measure on site, check joints. Smoke: call the fire service; use carbon dioxide or powder, never water.',
    ],
    time: ['10 分钟内到场', 'On site within 10 minutes'],
    priority: ['火灾报警，按消防要求必须确认。', 'A fire alarm: it has to be confirmed.'],
    basis: [
      '测温探头报警值 55~140 ℃（GB 14287.3），自己判断。',
      'The alarm value of the probe, 55 to 140 °C (GB 14287.3); the detector evaluates it itself.',
    ],
  }),
  rationale('water', {
    cause: ['管道漏水、地漏返水、雨水或空调冷凝水进入。', 'A pipe leaks, a drain backs up, rain or condensate comes in.'],
    consequence: [
      '水进入电缆沟或配电箱会引起短路和触电。',
      'Water in a cable trench or cabinet causes short circuits and shocks.',
    ],
    action: [
      '到现场前先断开可能浸水的线路；关水阀，排水，晾干并测绝缘后再送电。',
      'Before going there switch off lines that may be in the water. Close the valve, drain, let dry and measure insulation before restoring.',
    ],
    time: ['15 分钟', '15 minutes'],
    priority: ['发展较快，可能危及人身和供电。', 'It grows quickly and may endanger people and supply.'],
    basis: ['两电极间导通，探测器自己判断。', 'Contact between its electrodes; the detector evaluates it itself.'],
  }),
  rationale('intrusion', {
    cause: ['布防时有人或较大动物进入。', 'Somebody, or a large animal, came in while it was armed.'],
    consequence: ['设备被盗、被误操作，或外人触电。', 'Theft, wrong operation, or a stranger getting a shock.'],
    action: [
      '看监控或派人确认；是本单位人员作业就先撤防并核对作业许可，否则报警。',
      'Look at the camera or send somebody. Own people at work: disarm and check their permit; else call the police.',
    ],
    time: ['10 分钟', '10 minutes'],
    priority: ['涉及人身安全和安保。', 'It concerns safety of people and security.'],
    basis: ['红外感应，探测器在布防状态下自己判断。', 'Infrared sensing; the detector evaluates it itself while armed.'],
  }),
  rationale('tamper', {
    cause: ['探测器被拆下、脱落或外壳打开。', 'The detector was taken down, fell or was opened.'],
    consequence: ['该处没有探测，起火、泄漏或入侵时不会报警。', 'Nothing is detected there: no alarm of fire, gas or intrusion.'],
    action: [
      '到现场装回并按测试键确认；装修施工的，登记并加临时看护。',
      'Fit it again and press the test button; during building work note it and have somebody watch the place.',
    ],
    time: ['当天', 'Today'],
    priority: ['保护缺失，但没有正在发生的危险。', 'A protection is missing, no danger is under way.'],
    basis: ['防拆开关，探测器自己上报。', 'Its tamper switch; the detector reports it itself.'],
  }),
  rationale('detector.fault', {
    cause: [
      '传感器老化、污染，互感器或探头断线、短路，内部故障。',
      'The sensor is aged or dirty, a transformer or probe is open or shorted, or it failed inside.',
    ],
    consequence: ['探测器可能不报警，也可能误报。', 'It may give no alarm, or false ones.'],
    action: [
      '查接线和供电，清洁后复位；仍故障就更换，换后做一次试验。期间对该处加强巡视。',
      'Check wiring and supply, clean and reset; if it stays replace it and test. Watch the place meanwhile.',
    ],
    time: ['当天', 'Today'],
    priority: ['保护失效，但没有正在发生的危险。', 'A protection has failed, no danger is under way.'],
    basis: ['探测器自检上报。', 'Reported by the detector’s own supervision.'],
  }),
  rationale('disabled', {
    cause: [
      '有人屏蔽了探测器报警，常见于检修或反复误报之后。',
      'Somebody disabled its alarms, usually for work or after false ones.',
    ],
    consequence: ['真正起火时不会报警。', 'A real fire raises no alarm.'],
    action: [
      '查操作记录是谁、为什么屏蔽；检修结束立即解除。因误报屏蔽的，先处理误报原因。',
      'See in the command history who disabled it and why; enable it when the work is done. Where it was for false alarms, mend their cause.',
    ],
    time: ['当天', 'Today'],
    priority: ['是人为状态，但不能长期存在。', 'Done by a person, and not to last.'],
    basis: ['探测器上报的屏蔽状态。', 'The state that the detector reports.'],
  }),
]

/** Gateways and devices that are silent. */
export const linkRationales = [
  rationale('gateway.offline', {
    cause: [
      '网关断电、网络或 SIM 卡故障、天线脱落，或现场停电。',
      'The gateway has no power, its network, SIM card or aerial failed, or the site is without supply.',
    ],
    consequence: [
      '其下所有线路和探测器失去监视和远程操作，报警会迟到；就地保护不受影响。',
      'All its lines and detectors are neither watched nor operated remotely, alarms come late. Local protection is not affected.',
    ],
    action: [
      '看同项目其他网关：一起离线多为停电或断网，先电话确认；单独离线派人查电源、指示灯、网络和 SIM 卡。',
      'Look at other gateways of the project: together usually means no supply or network, call first; alone, send somebody to check power, lamps, network and SIM card.',
    ],
    time: ['1 小时', '1 hour'],
    priority: ['看不到不等于有危险，但失去了所有报警。', 'Not to see is not danger, but every alarm behind it is lost.'],
    basis: [
      '遗嘱消息或超过 3 个上报周期无消息后断开连接。',
      'Its death message, or its connection is gone after three silent reporting periods.',
    ],
  }),
  rationale('platform.away', {
    cause: [
      '平台（服务器、数据库或消息服务）中断过；恢复后这些网关或设备在 3 个上报周期内没有再上报。',
      'The platform (server, database or broker) was interrupted. Since it is back these have not reported for three reporting periods.',
    ],
    consequence: [
      '这些线路和探测器仍无监视，中断期间的报警也可能尚未送达；就地保护不受影响。',
      'These lines and detectors are still not watched, and alarms of the interruption may not have arrived. Local protection is not affected.',
    ],
    action: [
      '先看平台是否已正常（服务器、网络、证书、端口）；几分钟后仍未恢复的会单独报警，再逐台查网关电源和网络。',
      'See first whether the platform is well (server, network, certificate, port). What is still silent after some minutes alarms by itself: then check supply and network of each gateway.',
    ],
    time: ['1 小时', '1 hour'],
    priority: [
      '原因多在平台，但在恢复上报前看不到现场。',
      'The cause is mostly the platform, but until they report the site is not watched.',
    ],
    basis: ['平台恢复后连续 3 个上报周期没有消息。', 'Three reporting periods without a message since the platform was back.'],
  }),
  rationale('gateway.stale', {
    cause: ['网络拥塞、信号差，或网关程序停止上报。', 'The network is congested or weak, or the gateway stopped reporting.'],
    consequence: ['显示的是旧值，报警可能迟到。', 'Values shown are old and alarms may come late.'],
    action: [
      '等几分钟看是否恢复；不恢复按离线处理，检查网络和信号，必要时重启网关。',
      'Wait some minutes; if it does not come back treat it as offline: check network and signal, restart it if need be.',
    ],
    time: ['1 小时', '1 hour'],
    priority: ['常能自行恢复。', 'It often comes back by itself.'],
    basis: ['连续 3 个上报周期没有消息。', 'Three reporting periods without a message.'],
  }),
  rationale('device.offline', {
    cause: [
      '设备断电、总线（RS-485）断线或地址冲突、设备损坏。',
      'The device has no power, its bus (RS-485) is broken or has two of one address, or it failed.',
    ],
    consequence: [
      '该设备的线路失去监视和远程操作；就地保护一般仍有效。',
      'Its lines are neither watched nor operated remotely; local protection usually still works.',
    ],
    action: [
      '看同一总线其他设备：都离线查总线和终端电阻；单个离线查该设备电源、接线和地址。',
      'Look at others on its bus: all silent, check the bus and its terminating resistor; one alone, its power, wiring and address.',
    ],
    time: ['半天', 'Half a day'],
    priority: ['影响范围小于网关离线。', 'Fewer lines are concerned than with a gateway.'],
    basis: ['网关上报设备离线。', 'Its gateway reports that it is gone.'],
  }),
  rationale('device.stale', {
    cause: ['总线干扰、轮询超时，或设备程序异常。', 'Interference on the bus, polling that times out, or a fault in the device.'],
    consequence: ['显示的是旧值，报警可能迟到。', 'Values shown are old and alarms may come late.'],
    action: [
      '观察是否恢复；频繁出现要查总线屏蔽、接地、线长和波特率。',
      'See whether it comes back; if it happens often check shielding, earthing, length and speed of the bus.',
    ],
    time: ['一天', 'A day'],
    priority: ['常能自行恢复。', 'It often comes back by itself.'],
    basis: ['连续 3 个上报周期没有数据。', 'Three reporting periods without data.'],
  }),
]
