import { message } from '../../terms/message.ts'
import { kind } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  push: kind('推送订阅', 'Push subscription', 'push'),
} as const

export const actions = {
  'push.add': text('新增推送订阅', 'Add push subscription'),
  'push.edit': text('编辑推送订阅', 'Edit push subscription'),
  'push.secret': text('更换推送密钥', 'New push secret'),
  'push.shut': text('停用推送订阅（项目更换管理员）', 'Push subscription disabled (project changed administrator)'),
  'push.delete': text('删除推送订阅', 'Remove push subscription'),
  'push.receive': text('接收平台推送', 'Receive platform push'),
} as const

export const refusedCalls = {
  addPush: refused('新增推送订阅', 'Add push subscription'),
  editPush: refused('编辑推送订阅', 'Edit push subscription'),
  rotatePush: refused('更换推送密钥', 'New push secret'),
  deletePush: refused('删除推送订阅', 'Remove push subscription'),
} as const

export const refusals = {
  'push not exists': message('推送订阅不存在', 'The push subscription does not exist', 404),
  'push signature wrong': message('推送签名或密钥不正确', 'The signature or key of this push is wrong', 401),
  'push too old': message('推送时间超出允许范围，已拒绝', 'The time of this push is outside the permitted range. Refused', 401),
  'push duplicate': message(
    '该消息已收到过，未重复处理',
    'This message has already been received and was not processed again',
    200,
  ),
  'push disabled': message('该推送订阅已停用', 'This push subscription is disabled', 403),
  'push too fast': message('推送过于频繁，请稍后重试', 'Too many pushes. Try again later', 429),
  'push encryption wrong': message('只有 OneNET 支持加密模式', 'Only OneNET has a secure mode with an AES key', 400),
  'product twice': message('产品 {product} 填写了两次', 'Product {product} is named twice', 400),
  'model unknown': message('没有型号 {model} 的探测器', 'No detector has the model {model}', 400),
  'too many pushes': message('每个项目最多 {most} 个推送订阅', 'A project has at most {most} push subscriptions'),
} as const
