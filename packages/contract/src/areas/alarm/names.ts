import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  event: numbered('事件', 'Event'),
  incident: numbered('归并事件', 'Incident'),
  rationale: numbered('报警处置说明', 'Alarm rationale'),
} as const

export const actions = {
  'event.acknowledge': text('确认报警', 'Acknowledge alarm'),
  'event.comment': text('备注事件', 'Comment on event'),
  'event.shelve': text('搁置报警', 'Shelve alarm'),
  'event.alone': text('取消事件归并', 'Unfold from incident'),
  'event.unshelve': text('取消搁置报警', 'Unshelve alarm'),
  'tuning.edit': text('调整报警延时与回差', 'Tune alarm'),
  'tuning.restore': text('报警延时与回差恢复出厂值', 'Restore alarm tuning'),
  'rationale.edit': text('修改报警处置说明', 'Change alarm rationale'),
  'rationale.restore': text('报警处置说明恢复默认', 'Restore alarm rationale'),
} as const

export const refusedCalls = {
  acknowledgeEvent: refused('确认报警', 'Acknowledge alarm'),
  acknowledgeEvents: refused('确认多条报警', 'Acknowledge alarms'),
  acknowledgeMatching: refused('确认全部符合条件的报警', 'Acknowledge all matching alarms'),
  acknowledgeIncident: refused('确认归并事件', 'Acknowledge incident'),
  commentEvent: refused('备注事件', 'Comment on event'),
  shelveEvents: refused('搁置报警', 'Shelve alarms'),
  standAlone: refused('取消事件归并', 'Unfold from incident'),
  unshelveEvents: refused('取消搁置报警', 'Unshelve alarms'),
  tuneAlarm: refused('调整报警延时与回差', 'Tune alarm'),
  untuneAlarm: refused('报警延时与回差恢复出厂值', 'Restore alarm tuning'),
  updateAlarmRationale: refused('修改报警处置说明', 'Change alarm rationale'),
  restoreAlarmRationale: refused('报警处置说明恢复默认', 'Restore alarm rationale'),
} as const

export const refusals = {
  'too many views': message('最多保存 {most} 个视图，请先删除不用的', 'At most {most} views can be kept. Remove one first', 409),
  'too many events': message(
    '符合条件的报警超过 {most} 条，请缩小范围后导出',
    'More than {most} events match. Narrow the filter, then export',
    409,
  ),
  'alarm key not exists': message('没有这种报警：{key}', 'There is no alarm {key}', 404),
  'default rationale by administrators': message(
    '默认说明对所有项目生效，只能由管理员修改，请联系管理员',
    'The default applies to every project and is changed by administrators only. Ask one',
    403,
  ),
  'tuning not allowed': message(
    '火灾、燃气、故障电弧和保护跳闸报警不能调整延时与回差',
    'Alarms of fire, gas, arc faults and protective trips are never tuned',
    403,
  ),
  'tuning by equipment': message(
    '该报警由设备自行判断，请在设备上设置延时',
    'The equipment evaluates this alarm by itself. Set its delay there',
    409,
  ),
  'tuning of lines only': message(
    '只有线路的越限报警可以调整延时与回差',
    'Only alarms of a line that passed a limit can be tuned',
    409,
  ),
  'tuning not proven': message(
    '近 30 天的数据不支持该延时与回差：报警次数未减半，或会漏掉、推迟真实报警。请重新计算建议值',
    'The readings of the last 30 days do not bear these figures out: they would not halve the alarms, or would lose or delay a true one. Compute the offer again',
    409,
  ),
  'not tuned': message(
    '该报警已是出厂值，无需恢复',
    'This alarm is as its equipment comes with: there is nothing to restore',
    409,
  ),
  'rationale not written': message(
    '此处没有修改过处置说明，无需恢复',
    'Nothing was written here in place of the level above: there is nothing to restore',
    409,
  ),
  'priority reason fixed': message(
    '火灾、燃气和故障电弧报警的级别依据不能修改，请保留原文',
    'Why fire, gas and arc-fault alarms have their priority is not rewritten. Leave that text as it is',
    409,
  ),
  'event not exists': message('事件不存在', 'The event does not exist', 404),
  'incident not exists': message('归并事件不存在', 'The incident does not exist', 404),
  'not folded': message('该事件未归并，无需取消', 'This event is not folded into an incident', 409),
  'too many photos': message(
    '每个事件最多附 {most} 张照片，请发送不带照片的备注',
    'An event has at most {most} photos. Send the comment without one',
    409,
  ),
  'comment not new': message('备注编号已被使用，请重新提交备注', 'This comment id was used before. Write the comment again', 409),
  'shelve not allowed': message(
    '火灾、燃气和故障电弧报警不能搁置，请到现场处置',
    'Fire, gas and arc-fault alarms cannot be shelved. Deal with the cause on site',
    403,
  ),
  'shelve by administrators': message(
    '紧急报警只能由管理员搁置，请联系管理员',
    'Only administrators may shelve critical alarms. Ask one',
    403,
  ),
  'shelve too often': message(
    '该报警 24 小时内已搁置 {times} 次，不能再次搁置，请生成工单处理',
    'This alarm was shelved {times} times within 24 hours and cannot be shelved again. Open a work order for it',
    409,
  ),
  'already shelved': message('该报警已搁置，请先取消搁置', 'This alarm is shelved already. Unshelve it first', 409),
  'alarm over': message('该报警已结束，无需搁置', 'This alarm is over: there is nothing to shelve', 409),
  'raised again': message(
    '未确认：该报警期间再次发生，请查看最新情况后再确认',
    'Not acknowledged: this alarm was raised again meanwhile. Look at it as it is now, then acknowledge it',
    409,
  ),
  'shown too long ago': message(
    '列表打开已超过 7 天，无法判断期间有哪些报警再次发生。请刷新列表，核对后再确认',
    'This list was loaded more than 7 days ago, and what was raised again since is not known any more. Load it again, check it, then acknowledge',
    409,
  ),
  'more came meanwhile': message(
    '未确认：符合条件的报警现有 {now} 条，与所见的 {expected} 条相差较大，请核对列表后重试',
    'Nothing acknowledged: {now} alarms match now, and you were shown {expected}. Check the list and try again',
    409,
  ),
} as const
