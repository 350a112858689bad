import { rationale } from './rationale.ts'

/** What the server itself concludes: from several alarms, or from a setting that did not come back. */
export const serverRationales = [
  rationale('project.outage', {
    cause: [
      '现场停电，或网络、运营商中断，使同一项目多台网关同时失联。',
      'The site is without supply, or its network or operator failed: several gateways of a project are gone together.',
    ],
    consequence: [
      '这些网关下的线路和探测器全部失去监视；若是停电，应急照明、消防设备可能只靠电池。',
      'No line or detector behind them is watched. Without supply, emergency lighting and fire equipment may run on batteries.',
    ],
    action: [
      '先电话确认现场是否有电：停电联系供电部门并看总进线；有电查路由器、光纤、SIM 卡和运营商公告。恢复后核对各线路状态，再逐路送电。',
      'Call the site: without supply, ask the supplier and look at the incomer; with supply, check router, fibre, SIM cards and the operator. Once back compare the state of each line before restoring lines one by one.',
    ],
    time: ['30 分钟内确认', 'Confirmed within 30 minutes'],
    priority: ['一处原因使整个项目失去监视。', 'One cause leaves the whole project unwatched.'],
    basis: [
      '60 s 内至少 3 台网关离线，网关较多的项目为 20%。',
      'At least 3 gateways offline within 60 s, or 20 % of the project where that is more.',
    ],
  }),
  rationale('supply.off', {
    cause: [
      '上级线路被分闸（人工、定时或联动），下级线路因此失电。',
      'A line upstream was opened, by a person, a timer or a linkage, and the lines below have no supply.',
    ],
    consequence: [
      '下级全部停电；冷藏、水泵、电梯、应急设备可能受影响。',
      'Everything below is dead: refrigeration, pumps, lifts and emergency equipment may be concerned.',
    ],
    action: [
      '查上级分闸的操作记录和原因：检修或挂牌的，不得送电，通知用户；误操作的，核对合闸许可后先合上级，再看下级电压。',
      'See in the command history who opened it and why: for work, or under a tag, do not close and tell the users; by mistake, check the close permit, close it, then look at the voltages below.',
    ],
    time: ['15 分钟', '15 minutes'],
    priority: ['停电范围大；也可能正有人在下级作业。', 'Much is without supply, and somebody may be at work below.'],
    basis: [
      '上级线路分闸后 30 s 内，下级线路报欠压或无电。',
      'Lines below report undervoltage or no supply within 30 s of the opening.',
    ],
  }),
  rationale('setting.notRestored', {
    cause: [
      '临时放宽的保护定值或停用的保护到期后，恢复指令未送达，或设备回读值不符。',
      'A protection that was relaxed or disabled for a time is due again, and the order did not arrive or the value read back is another.',
    ],
    consequence: [
      '线路仍在放宽的保护下运行，过载、漏电或起火时可能不跳闸、不报警。',
      'The line still runs on the relaxed protection: overload, leakage or fire may neither trip nor alarm.',
    ],
    action: [
      '看设备是否在线；在线就重新下发原定值并核对回读。不在线派人到现场按定值单恢复；恢复前派人看护，必要时停用该线路。',
      'See whether the device is online: if so send the former setting again and compare what is read back. If not, restore it on site by the setting sheet; have the line watched until then, or switched off.',
    ],
    time: ['30 分钟内', 'Within 30 minutes'],
    priority: [
      '保护缺失而无人知晓，故障时直接危及人身和财产。',
      'A protection is missing and people rely on it: a fault would hurt somebody or burn.',
    ],
    basis: [
      '到期时回读值与原定值不一致，或没有回读。',
      'When due, the value read back is not the former one, or none is read back.',
    ],
  }),
]
