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
  rationale('automation.orphaned', {
    cause: [
      '保存定时的人已停用、删除、调离，或被收回分合闸权限，没有人接管其定时。',
      'Whoever saved the timers was disabled, removed or moved, or lost the permission to switch lines, and nobody took the timers over.',
    ],
    consequence: [
      '这些定时到点后每条线路都被拒绝：该送电的不送，该断电的不断，照明、空调、充电可能整夜带电。',
      'When due, each of their lines is refused: what should be switched on stays off, and what should be switched off may stay live all night.',
    ],
    action: [
      '在定时列表筛选“无负责人”，核对仍需要的定时，由管理员逐个或一次全部接管；不再需要的停用。接管前先看今天该动作的线路是否已动作。',
      'Filter the list of timers by those without a responsible person. Check which are still needed; an administrator takes over one or all of them, and disables the rest. See first whether the lines due today were switched.',
    ],
    time: ['当天，下一次执行之前', 'The same day, before they are due next'],
    priority: ['没有即时危险，但定时会一直不执行。', 'No danger now, but the timers fail until somebody acts.'],
    basis: [
      '定时的负责人账号无效，或没有全部线路的查看权和分合闸权。',
      'The account of the owner is gone, does not see all of the lines, or may not switch them.',
    ],
  }),
  rationale('automation.late', {
    cause: [
      '平台的定时处理停住或跟不上：服务器过载、数据库拒绝写入，或程序故障。',
      'The platform does not keep up with what is due, or has stopped: the server is overloaded, the database refuses to write, or the program is faulty.',
    ],
    consequence: [
      '到点的合闸和自检超过 5 秒不再执行，分闸超过 1 分钟不再执行：线路停留在原来的位置。',
      'Closes and tests that come more than 5 s late are not done, trips not after a minute: lines stay as they are.',
    ],
    action: [
      '看服务器负荷、磁盘和数据库日志；必要时重启平台。按定时记录中“错过”的各项，逐条核对线路位置，该断的人工分闸。',
      'Look at the load of the server, its disk and the log of the database, and restart the platform if need be. Go through what the log of timers calls missed, check the position of each line, and open by hand what should be off.',
    ],
    time: ['10 分钟内', 'Within 10 minutes'],
    priority: [
      '分闸只等一分钟；错过后线路会带电到有人处理。',
      'A trip waits for one minute only; after that a line stays live until somebody sees to it.',
    ],
    basis: ['到期超过 10 秒仍无任何服务器处理。', 'Due for more than 10 s, and no server has claimed it.'],
  }),
  rationale('statement.differs', {
    cause: [
      '已签发的电费结算单在数据库中被改动，或存储损坏、恢复了不完整的备份。',
      'An issued statement was altered in the database, its storage is damaged, or an incomplete backup was restored.',
    ],
    consequence: [
      '这张结算单的电量和金额不能再作为结算依据。设备和合分闸不受影响。',
      'Its energy and its money prove nothing any more. Equipment and its control are not affected.',
    ],
    action: [
      '在用电报表中打开该结算单并点“验证”，与签发时导出的文件或打印件核对；查操作日志中签发时的 SHA-256，从备份恢复该行。查清谁改动了数据库。',
      'Open it in the electricity statement and verify it; compare it with the file or the print of when it was issued, and its SHA-256 with the one in the audit log. Restore its row from a backup, and find out who altered the database.',
    ],
    time: ['当天，下一次结算之前', 'The same day, before it is settled'],
    priority: [
      '没有即时危险，但错误的金额可能已被使用，且数据库可能被人改动。',
      'No danger now, but a wrong sum may be in use, and somebody may have altered the database.',
    ],
    basis: [
      '每晚由冻结的数据重算最新 20 张和随机 20 张，逐字节比对。',
      'Each night the newest 20 and 20 others are reckoned again from what was frozen, and compared byte by byte.',
    ],
  }),
  rationale('energy.budget', {
    cause: [
      '本月或本年的用电或电费已达到预算的提醒百分比，或按目前用电预计将超出预算。',
      'Energy or its cost of this month or year has reached a threshold of its budget, or is expected to pass it.',
    ],
    consequence: [
      '费用超出计划。设备和合分闸不受影响。',
      'It costs more than was planned. Equipment and its control are not affected.',
    ],
    action: [
      '在用电统计的“预算”中查看走势和预计，找出用电增加的线路；预算不合理的，修改预算。',
      'See its course under Budget of the page Consumption, and find the lines that use more; change the budget if it is not right.',
    ],
    time: ['本结算周期内', 'Within the period'],
    priority: ['没有危险，只关系到费用。', 'No danger: it is about money alone.'],
    basis: [
      '每刻钟比较一次；每个提醒值在一个周期内只提醒一次，预计超出在周期过五分之一后才提醒。',
      'It is compared each quarter of an hour; each threshold is told once in a period, and that it will be passed not before a fifth of it.',
    ],
  }),
  rationale('screen.silent', {
    cause: [
      '大屏断电、死机、断网，或浏览器已关闭：两分钟没有心跳。',
      'The wall has no power, hangs, has no network, or its browser was closed: not heard for two minutes.',
    ],
    consequence: [
      '值班人员看到的可能是停住的画面，或什么都看不到。设备和合分闸不受影响。',
      'Whoever watches it may see a picture that has stopped, or nothing. Equipment and its control are not affected.',
    ],
    action: [
      '到大屏现场查看电源、网络和播放设备，重启后画面会自动恢复；不再使用的屏，在“大屏链接”中解除。',
      'Look at its power, network and player; once restarted it comes back by itself. End a screen that is used no more under Screen links.',
    ],
    time: ['值班时间内尽快', 'Soon, while somebody watches it'],
    priority: ['不直接危险，但报警可能没人看到。', 'No danger in itself, but an alarm may be seen by nobody.'],
    basis: ['每 30 秒一次心跳，连续 4 次没有。', 'It is heard every 30 s, and four times it was not.'],
  }),
  rationale('order.flood', {
    cause: [
      '一小时内按自动派单规则应派的工单超过上限：多处同时故障、一个根因引出大量报警，或规则范围过宽。',
      'Rules would make more orders within an hour than they may: many places fail at once, one cause raises many alarms, or a rule covers too much.',
    ],
    consequence: [
      '超出部分并入一张汇总工单，不再逐条派给人员；其中急需处理的可能被淹没。',
      'What comes beyond goes into one summary order and is given to nobody by itself: what is urgent among it may be overlooked.',
    ],
    action: [
      '打开汇总工单，先按优先级和位置找共同原因；急需处理的当即逐条派单。事后按最近 30 天预览收窄规则。',
      'Open the summary order, look for a common cause by priority and place, and send somebody for what is urgent at once. Narrow the rules afterwards by their preview of 30 days.',
    ],
    time: ['30 分钟内', 'Within 30 minutes'],
    priority: [
      '汇总中可能有严重报警，而无人接单。',
      'There may be critical alarms among those in the summary, and nobody is sent for them.',
    ],
    basis: [
      '同一项目一小时内按规则生成的工单达到 20 张；低于该数后恢复。',
      'Twenty orders made by rules in one project within an hour; it returns once there are fewer.',
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
