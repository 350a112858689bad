import { message } from '../../terms/message.ts'
import { kind, numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  timer: numbered('定时', 'Timer'),
  automationRun: kind('自动执行', 'Automatic run', 'name'),
  scene: numbered('场景', 'Scene'),
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
  'scene.add': text('新建场景', 'Create scene'),
  'scene.edit': text('修改场景', 'Change scene'),
  'scene.delete': text('删除场景', 'Delete scene'),
  'scene.enable': text('启用场景', 'Enable scene'),
  'scene.disable': text('停用场景', 'Disable scene'),
  'scene.run': text('执行场景', 'Run scene'),
  'scene.stop': text('停止场景', 'Stop scene'),
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
  insertScene: refused('新建场景', 'Create scene'),
  updateScene: refused('修改场景', 'Change scene'),
  deleteScene: refused('删除场景', 'Delete scene'),
  switchScene: refused('执行场景', 'Run scene'),
  stopScene: refused('停止场景', 'Stop scene'),
} as const

export const refusals = {
  'automation run not exists': message('执行记录不存在', 'This run does not exist', 404),
  'timed action missed': message(
    '已错过执行时刻，该线路未操作，不再补执行',
    'The time for this action has passed: the line was not operated, and the action is not made up for',
    409,
  ),
  'opened meanwhile': message(
    '该线路刚刚断开，定时合闸已取消',
    'The line was opened a moment ago: its timed close was withdrawn',
    409,
  ),
  'override end wrong': message('保持结束时间须在现在以后、14 天以内', 'The end must be later than now and within 14 days', 400),
  'skip end wrong': message(
    '最多跳过到 14 天后，或到下一次执行',
    'Runs may be skipped for at most 14 days, or up to the next run',
    400,
  ),
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
  'scene not exists': message('场景不存在或已删除', 'The scene does not exist or has been deleted', 404),
  'scene exists': message('项目中已有同名场景，请换一个名称', 'The project already has a scene of this name. Choose another'),
  'scene wrong': message('场景有误，未保存：{problems}', 'The scene was not saved: {problems}', 400),
  'scene disabled': message('场景已停用，请先启用', 'The scene is disabled. Enable it first', 409),
  'scene seen in part': message(
    '场景包含您无权查看的线路，不能执行或修改，请联系管理员',
    'The scene has lines that you may not see, so you can neither run nor change it. Ask an administrator',
    403,
  ),
  'scene needs device control': message(
    '您没有“线路分合闸”权限，不能管理场景，请联系管理员',
    'Your role does not permit tripping or closing lines, so you cannot manage scenes. Ask an administrator',
    403,
  ),
  'scene needs management': message(
    '您没有“管理场景”权限，请联系管理员',
    'Your role does not permit managing scenes. Ask an administrator',
    403,
  ),
  'too many scenes': message(
    '项目最多 {most} 个场景，请先删除不用的',
    'A project has at most {most} scenes. Delete some first',
    409,
  ),
  'scene running': message(
    '场景正在执行，请等待结束或先停止',
    'The scene is running. Wait until it has ended, or stop it first',
    409,
  ),
  'scene run id used': message('该执行编号已被使用', 'This run id has already been used', 409),
  'scene run over': message('该次执行已结束', 'This run has already ended', 409),
  'scene tripped meanwhile': message(
    '执行期间该线路又被分闸，不再合闸',
    'The line was tripped while the scene ran: it is not closed',
    409,
  ),
  'scene stops closing': message(
    '前面有线路被拒绝或未合上，按场景设置其余不再合闸',
    'An earlier line was refused or did not come to stand as meant: by the rule of the scene nothing more is closed',
    409,
  ),
  'scene already so': message('已在合闸位置，无需下发', 'Closed already: nothing was sent', 409),
  'scenes contain equipment': message(
    '以下场景包含其线路，请先从场景中移除：{scenes}',
    'Scenes contain lines of it. Take them out first: {scenes}',
    409,
  ),
} as const
