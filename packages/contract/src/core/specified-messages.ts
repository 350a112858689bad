import type { Message } from '../terms/message.ts'
import { message } from '../terms/message.ts'

/**
 * The catalogue of specification section 8. A file of its own: the console knows these by their key alone, and does not load the others. What
 * is asked of a thing that is not there, of a person who may not, or in a wrong form, has the HTTP status that says so.
 */
export const specifiedMessages = {
  'scene contain this line': message('操作失败，有场景包含该线路', 'Not switched: a scene includes this line'),
  'schedule contain this line': message('操作失败，有定时包含该线路', 'Not switched: a timer includes this line'),
  'app not registered': message('应用未注册', 'The app is not registered'),
  failed: message('操作失败，请稍后重试', 'The operation failed. Try again later'),
  'invalid parameter': message('参数无效', 'A parameter is not valid', 400),
  'device not exists': message('设备不存在', 'The device does not exist', 404),
  'DeviceState:Nonexistent': message('设备不存在', 'The device does not exist', 404),
  'device exists': message('网关已被占用', 'This gateway is already in use'),
  'DeviceState:NotAdded': message('设备未添加', 'The device has not been added'),
  'Shared equipment': message('共享设备不能迁移', 'Shared devices cannot be migrated'),
  'user not admin': message('请联系管理员', 'Contact the administrator', 403),
  'UserState:Nonexistent': message('账号或密码不正确', 'Wrong account or password'),
  'password incorrect': message('账号或密码不正确', 'Wrong account or password'),
  "user doesn't exist": message('账号或密码不正确', 'Wrong account or password'),
  'User name or password error': message('账号或密码不正确', 'Wrong account or password'),
  'username exists': message('账号已存在', 'The account already exists'),
  'username invalid': message('账号无效', 'The account is not valid'),
  'username notexists': message('账号不存在', 'The account does not exist'),
  'not shared': message('未共享', 'Not shared'),
  'Default City': message('默认分组不能删除', 'The default group cannot be deleted'),
  '': message('设置失败', 'The setting failed'),
  离线: message('设备离线', 'The device is offline'),
  'device share failed': message(
    '编辑成功，但设备分配失败，请重新分配',
    'Saved, but assigning devices failed. Assign them again',
  ),
} as const satisfies Record<string, Message>
