import type { Text } from '@linewarden/equipment'

export interface Message extends Text {
  /** HTTP status of the reply, which says Code 0 whatever it is. */
  readonly status: number
}

export const said = (zh: string, en: string, status = 200): Message => ({ zh, en, status })

/**
 * The catalogue of specification section 8. A file of its own: the console knows these by their key alone, and does not load the others. What
 * is asked of a thing that is not there, of a person who may not, or in a wrong form, has the HTTP status that says so.
 */
export const specifiedMessages = {
  'scene contain this line': said('操作失败，有场景包含该线路', 'Not switched: a scene includes this line'),
  'schedule contain this line': said('操作失败，有定时包含该线路', 'Not switched: a timer includes this line'),
  'app not registered': said('应用未注册', 'The app is not registered'),
  failed: said('操作失败，请稍后重试', 'The operation failed. Try again later'),
  'invalid parameter': said('参数无效', 'A parameter is not valid', 400),
  'device not exists': said('设备不存在', 'The device does not exist', 404),
  'DeviceState:Nonexistent': said('设备不存在', 'The device does not exist', 404),
  'device exists': said('网关已被占用', 'This gateway is already in use'),
  'DeviceState:NotAdded': said('设备未添加', 'The device has not been added'),
  'Shared equipment': said('共享设备不能迁移', 'Shared devices cannot be migrated'),
  'user not admin': said('请联系管理员', 'Contact the administrator', 403),
  'UserState:Nonexistent': said('账号或密码不正确', 'Wrong account or password'),
  'password incorrect': said('账号或密码不正确', 'Wrong account or password'),
  "user doesn't exist": said('账号或密码不正确', 'Wrong account or password'),
  'User name or password error': said('账号或密码不正确', 'Wrong account or password'),
  'username exists': said('账号已存在', 'The account already exists'),
  'username invalid': said('账号无效', 'The account is not valid'),
  'username notexists': said('账号不存在', 'The account does not exist'),
  'not shared': said('未共享', 'Not shared'),
  'Default City': said('默认分组不能删除', 'The default group cannot be deleted'),
  '': said('设置失败', 'The setting failed'),
  离线: said('设备离线', 'The device is offline'),
  'device share failed': said('编辑成功，但设备分配失败，请重新分配', 'Saved, but assigning devices failed. Assign them again'),
} as const satisfies Record<string, Message>
