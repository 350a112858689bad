import { message } from '../../terms/message.ts'
import { kind, numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  timer: numbered('定时', 'Timer'),
  automationRun: kind('自动执行', 'Automatic run', 'name'),
} as const

export const actions = {
  'timer.add': text('新增定时', 'Add timer'),
  'timer.edit': text('修改定时', 'Edit timer'),
  'timer.delete': text('删除定时', 'Remove timer'),
  'timer.enable': text('启用定时', 'Enable timer'),
  'timer.disable': text('停用定时', 'Disable timer'),
  'timer.skip': text('跳过定时执行', 'Skip runs of timer'),
  'timer.owner': text('接管定时', 'Take over timer'),
  'automationRun.stop': text('停止自动执行', 'Stop automatic run'),
  'line.override': text('设置线路手动保持', 'Put timers of line on hold'),
  'line.release': text('解除线路手动保持', 'Release timers of line'),
  'calendar.edit': text('修改日历', 'Edit calendar'),
} as const

export const refusedCalls = {
  insertTimer: refused('新增定时', 'Add timer'),
  updateTimer: refused('修改定时', 'Edit timer'),
  deleteTimer: refused('删除定时', 'Remove timer'),
  switchTimer: refused('启用或停用定时', 'Enable or disable timer'),
  skipTimer: refused('跳过定时执行', 'Skip runs of timer'),
  takeTimer: refused('接管定时', 'Take over timer'),
  stopAutomationRun: refused('停止自动执行', 'Stop automatic run'),
  overrideLine: refused('设置线路手动保持', 'Put timers of line on hold'),
  releaseLine: refused('解除线路手动保持', 'Release timers of line'),
  updateCalendar: refused('修改日历', 'Edit calendar'),
} as const

export const refusals = {
  'automation run not exists': message('执行记录不存在', 'This run does not exist', 404),
  'timed action missed': message(
    '已错过执行时刻，该线路未操作，不再补执行',
    'The time for this action has passed: the line was not operated, and the action is not made up for',
    409,
  ),
  'override end wrong': message('保持结束时间须在现在以后、14 天以内', 'The end must be later than now and within 14 days', 400),
  'timer not exists': message('定时不存在或已删除', 'The timer does not exist or was removed', 404),
  'timer exists': message('已有同名定时，请换一个名称', 'A timer of this name exists already. Choose another name', 409),
  'timer past': message('执行时间已过，请改到现在以后', 'The time has passed. Choose a later one', 400),
  'timer points clash': message(
    '同一定时有两个相同的执行时间：{time}',
    'Two points of the timer have the same time: {time}',
    400,
  ),
  'line not in project': message('有线路不属于该项目', 'A line is not of this project', 400),
  'position missing': message('请先在项目中填写经纬度', 'Enter the coordinates of the project first', 400),
  'too many': message('{what}最多 {most} 个', 'At most {most} {what}', 400),
  'definition wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} fields are not right', 400),
  'timer conflict': message('与其他定时冲突，未保存：{why}', 'Not saved: it conflicts with another timer or a limit. {why}', 409),
  'timer needs switching': message(
    '没有分合闸权限，不能操作定时，请联系管理员',
    'Timers need the permission to switch lines, which you do not have. Ask the administrator',
    403,
  ),
  'timer lines unseen': message(
    '该定时含有您无权查看的线路，不能操作',
    'This timer acts on lines that you may not see, so you cannot change it',
    403,
  ),
} as const
