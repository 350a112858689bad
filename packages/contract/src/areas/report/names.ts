import { message } from '../../terms/message.ts'
import { refused, text } from '../../terms/text.ts'

export const actions = {
  'deviceData.export': text('导出设备数据', 'Export device data'),
  'reportSchedule.add': text('新建定时报表', 'Add scheduled report'),
  'reportSchedule.edit': text('修改定时报表', 'Edit scheduled report'),
  'reportSchedule.remove': text('删除定时报表', 'Remove scheduled report'),
  'reportSchedule.run': text('立即发送报表', 'Send report now'),
  'report.export': text('导出定时报表', 'Export scheduled report'),
  'report.sent': text('发送定时报表', 'Scheduled report sent'),
  'reportRecipient.ask': text('发送收件确认邮件', 'Ask address to agree to reports'),
  'reportRecipient.agree': text('确认接收报表', 'Agree to reports by mail'),
  'reportRecipient.leave': text('退订报表', 'Unsubscribe from reports by mail'),
  'mail.test': text('发送测试邮件', 'Send test mail'),
} as const

export const refusedCalls = {
  insertReportSchedule: refused('新建定时报表', 'Add scheduled report'),
  updateReportSchedule: refused('修改定时报表', 'Edit scheduled report'),
  removeReportSchedule: refused('删除定时报表', 'Remove scheduled report'),
  runReport: refused('立即发送报表', 'Send report now'),
  sendTestMail: refused('发送测试邮件', 'Send test mail'),
  askReportRecipient: refused('发送收件确认邮件', 'Ask address to agree to reports'),
} as const

export const refusals = {
  'report too large': message(
    '共 {rows} 行，一个文件最多 {most} 行。请缩短时间、减少线路，或改用更大的步长',
    'There are {rows} rows, and a file has at most {most}. Shorten the period, select fewer lines or a larger step',
    409,
  ),
  'report too slow': message(
    '数据太多，查询超时。请缩短时间、减少线路，或改用更大的步长',
    'There is so much data that it takes too long. Shorten the period, select fewer lines or a larger step',
    409,
  ),
  'mail not set up': message(
    '本系统未配置邮件服务器，只能下载',
    'This installation has no mail server: reports can only be downloaded',
    409,
  ),
  'mail address missing': message('您的账号没有邮箱，请先填写', 'Your account has no mail address: enter one first', 409),
  'mail too often': message('发送过于频繁，请稍后再试', 'Sent too often: try again later', 429),
  'report schedule not exists': message('定时报表不存在', 'The scheduled report does not exist', 404),
  'report schedule wrong': message('有 {count} 处填写不正确，未保存', 'Not saved: {count} fields are not right', 400),
  'report recipient not exists': message('收件人不存在', 'The recipient does not exist', 404),
  'report recipient agreed': message('该邮箱已确认，无需再次发送', 'This address has agreed already', 409),
  'report sent already': message(
    '{from} 起的这一期已经发送或正在发送，每期只发一次',
    'The report from {from} on was sent, or is being sent: of one period it is sent once',
    409,
  ),
  'report rights gone': message('创建人已没有查看该报表的权限', 'Whoever set this report up may not see it any more', 403),
  'report project moved': message(
    '项目已换了管理员，请重新保存该定时报表',
    'The project has another administrator: save this report again',
    409,
  ),
  'report has no recipient': message('没有可接收的收件人', 'Nobody is left to send it to', 409),
  'report broken off': message('多次生成均中断，已放弃', 'Making it broke off again and again: it was given up', 409),
  'report format wrong': message('该报表没有这种格式', 'There is no such format of this report', 400),
  'report cron wrong': message(
    '不是有效的 cron 表达式（分 时 日 月 周）',
    'This is no cron: minute, hour, day, month, day of the week',
    400,
  ),
  'report never due': message('这个时间永远不会到来', 'This time never comes', 400),
  'report due twice': message(
    '同一统计周期内会发送多次：请减少发送次数，或改用更短的周期',
    'It comes more than once in a period: send less often, or report a shorter period',
    400,
  ),
  'report recipient wrong': message('请选择账号或填写邮箱，二者选一', 'A recipient is either an account or an address', 400),
  'report recipient twice': message('收件人重复', 'This recipient is there twice', 400),
  'report account wrong': message(
    '该账号没有邮箱，或不在您的管理范围内',
    'This account has no mail address, or is not yours',
    400,
  ),
} as const
