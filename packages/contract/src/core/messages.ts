import type { Text } from '@linewarden/equipment'
import type { Message } from './specified-messages.ts'
import { said, specifiedMessages } from './specified-messages.ts'

/** Every refusal a person may read. Keys are stable and go over the wire; `{name}` is filled from the refusal's detail. */
export const messages = {
  ...specifiedMessages,
  // Our own, each with what to do.
  'account locked': said(
    '登录失败次数过多，请 {minutes} 分钟后再试',
    'Too many failed attempts. Try again in {minutes} min',
    429,
  ),
  'sign-in slowed': said(
    '此网络登录失败次数过多，请 {seconds} 秒后再试',
    'Too many failed sign-ins from this network. Try again in {seconds} s',
    429,
  ),
  'remembered sign-in over': said('记住的登录已失效，请重新登录', 'The remembered sign-in has expired. Sign in again'),
  'password needed': said(
    '此设备是免密登录，操作前请输入密码',
    'This device was signed in without a password. Enter the password first',
    403,
  ),
  'password again': said('请重新输入登录密码后继续', 'Enter your sign-in password again first', 403),
  'second factor needed': said('请输入验证码', 'Enter the code from your authenticator app'),
  'sign-in step over': said('验证已超时，请重新登录', 'This took too long. Sign in again'),
  'code wrong': said('验证码不正确或已使用', 'The code is wrong or has already been used'),
  'second factor required': said('请先启用两步验证', 'Set up the second factor first', 403),
  'second factor on': said('两步验证已启用', 'The second factor is already on'),
  'second factor off': said('两步验证未启用', 'The second factor is not on'),
  'second factor lost': said(
    '服务器无法读取您的两步验证密钥，请使用恢复码，或联系管理员重置',
    'The server cannot read the key of your second factor any more. Use a recovery code, or ask an administrator to reset it',
  ),
  'password lost': said(
    '服务器无法校验您的密码，请联系管理员重新设置',
    'The server cannot check your password any more. Ask an administrator to set a new one',
    403,
  ),
  'logo not taken': said(
    '徽标须为 PNG、JPEG 或 WebP 图片，不超过 {most} KB，边长不超过 {side} 像素',
    'A logo must be PNG, JPEG or WebP, at most {most} KB and {side} pixels a side',
  ),
  'password must change': said(
    '您的密码由他人设置，请先修改为自己的密码',
    'This password was issued to you. Change it to one of your own first',
    403,
  ),
  'password same': said('新密码不能与原密码相同', 'The new password must differ from the current one'),
  'password too common': said(
    '密码过短、过于常见，或是账号、单位、项目等容易猜到的名称，请换一个',
    'This password is too short, too common, or a name that is easily guessed: of an account, a project or the company. Choose another',
  ),
  'control password same': said(
    '控制密码不能与登录密码相同，请换一个',
    'The control password must differ from the sign-in password. Choose another',
  ),
  'control password wrong': said('控制密码错误', 'The control password is wrong'),
  'control locked': said(
    '控制密码连续错误，合闸与参数设置已锁定 {minutes} 分钟；仍可分闸',
    'Too many wrong control passwords. Closing and settings are locked for {minutes} min; tripping is still possible',
    429,
  ),
  'control password lost': said(
    '服务器无法校验您的控制密码，请联系管理员重新设置；仍可分闸',
    'The server cannot check your control password any more. Ask an administrator to set a new one; tripping works all the same',
    403,
  ),
  'control grant missing': said('请先输入控制密码', 'Enter the control password first', 403),
  'authorization missing': said('请求缺少签名，请重新登录', 'The request is not signed. Sign in again', 401),
  'authorization malformed': said('请求签名格式不正确', 'The Authorization header cannot be read', 401),
  'signature wrong': said('请求签名不正确，请重新登录', 'The request signature is wrong. Sign in again', 401),
  'clock skewed': said(
    '本机时间与服务器相差超过 5 分钟，请校准时间',
    'The clock of this device differs from the server by more than 5 minutes. Correct it',
    401,
  ),
  'nonce replayed': said('请求重复，已拒绝', 'Duplicate request, refused', 401),
  'download not exists': said('下载不存在或已失效，请重新导出', 'The download does not exist or has expired. Export again', 404),
  'too many taken': said(
    '一小时内您填写的编号或账号多次已被他人占用，请稍后再试；批量导入请核对文件，或联系平台管理员',
    'Too many of the numbers or accounts you entered within an hour are in use by somebody else. Check them (of a list, the file), wait, or ask whoever runs the installation',
    429,
  ),
  'too many downloads': said('同时进行的下载过多，请等待其中一个完成', 'Too many downloads at once. Wait for one to finish', 429),
  'session expired': said('登录已过期，请重新登录', 'The session has expired. Sign in again', 401),
  'access denied': said('没有权限', 'You do not have permission for this', 403),
  'page not found': said('请求的地址不存在', 'Nothing exists at this address', 404),
  'too many requests': said('请求过于频繁，请稍后再试', 'Too many requests. Wait a moment and try again', 429),
  'request too slow': said(
    '请求发送超时，请检查网络后重试',
    'The request took too long to arrive. Check the network and try again',
    408,
  ),
  'https needed': said(
    '此端口不提供加密连接，请改用 https 和端口 {port}',
    'Nothing is answered here without TLS. Use https and port {port}',
    403,
  ),
  'request malformed': said('无法识别的请求', 'The request could not be read', 400),
  'body too large': said('请求内容过大', 'The request is too large', 413),
  'content type wrong': said(
    '请求内容须为 JSON，请把 Content-Type 设为 application/json',
    'The body must be JSON: set Content-Type to application/json',
    415,
  ),
  'body malformed': said('请求内容不是有效的 JSON', 'The request body is not valid JSON', 400),
  'close not permitted': said('当前不允许合闸', 'Closing is not permitted now', 409),
  'confirmation needed': said(
    '此操作涉及 {count} 条线路，请输入该数量确认',
    'Lines affected by this operation: {count}. Enter that number to confirm',
    409,
  ),
  'trip not possible': said('无法远程分闸', 'The line cannot be tripped from here', 409),
  'operation not permitted': said('当前不允许此操作：{why}', 'This operation is not permitted now: {why}', 409),
  'not reachable': said('无法下发：{why}', 'Cannot be sent: {why}', 409),
  'action unknown': said('该设备没有这个操作', 'This equipment has no such operation', 400),
  'command id used': said('该操作编号已用于另一条命令', 'This command id has already been used for another command', 409),
  'event not exists': said('事件不存在', 'The event does not exist', 404),
  'project not exists': said('项目不存在', 'The project does not exist', 404),
  'too many gateways': said('每个项目最多 {most} 个网关', 'A project holds at most {most} gateways'),
  'gateway not exists': said('网关不存在', 'The gateway does not exist', 404),
  'changed meanwhile': said(
    '保存失败：其他人刚刚修改过，请刷新后重新修改',
    'Not saved: somebody else has just changed it. Reload and repeat your change',
    409,
  ),
  'tripped meanwhile': said(
    '未登记：登记期间该线路又跳闸，请重新查明原因',
    'Not recorded: the line has tripped again meanwhile. Find the cause of that trip as well',
    409,
  ),
  'no trip to explain': said(
    '该线路没有待登记原因的跳闸，请刷新查看',
    'No trip of this line is waiting for its cause. Reload to check',
    409,
  ),
  'group not exists': said('分组不存在', 'The group does not exist', 404),
  'group exists': said('已有同名分组，请换一个名称', 'A group with this name already exists. Choose another name'),
  'group not empty': said(
    '分组下还有 {count} 个项目，请先移到其他分组',
    'The group still contains projects ({count}). Move them to another group first',
  ),
  'other owner': said(
    '只能在同一管理员名下操作',
    'These do not belong to the same administrator. Choose from one administrator only',
  ),
  'project not empty': said(
    '项目下还有 {count} 个网关，请先迁移或删除网关',
    'The project still contains gateways ({count}). Move or remove them first',
  ),
  'time zone unknown': said(
    '时区无效，请选择如 Asia/Shanghai 的时区',
    'This time zone is not known. Choose one such as Asia/Shanghai',
  ),
  'currency unknown': said('币种无效，请选择如 CNY 的币种', 'This currency is not known. Choose one such as CNY'),
  'IMEI wrong': said(
    'IMEI 校验位不正确，请对照铭牌核对 15 位数字',
    'The check digit of the IMEI is wrong. Compare its 15 digits with the nameplate',
  ),
  'equipment dates wrong': said('日期有误，未保存，请改正', 'A date is wrong. Nothing was saved; correct it'),
  'gateway tagged': said(
    '{gateway} 上有未取下的挂牌：{holders}。全部取下后才能删除',
    'Tags are applied to {gateway}: {holders}. It can be deleted once all of them are removed',
    409,
  ),
  'command under way': said(
    '{gateway} 上有操作正在执行，请等待结束后再试',
    'An operation is in progress on {gateway}. Wait for its result and try again',
    409,
  ),
  'setting unknown': said('该设备没有参数 {key}，未下发', 'This equipment has no setting {key}. Nothing was sent', 400),
  'setting out of range': said(
    '参数超出允许范围，未下发，请改正后重试',
    'A setting is out of range. Nothing was sent; correct it and try again',
    400,
  ),
  'reason and expiry missing': said(
    '关闭或调至最不灵敏的保护必须填写恢复时间（1 分钟至 24 小时）',
    'Disabling a protection, or setting it to its least sensitive, requires an end time: 1 minute to 24 hours from now',
    400,
  ),
  'nothing to restore': said(
    '设备从未上报原值，无法恢复，请直接设置',
    'The equipment never reported its former value, so it cannot be restored. Set the value directly',
    409,
  ),
  'setting under way': said(
    '该线路有操作或设置正在执行，请等待结果后再试',
    'An operation or setting of this line is in progress. Wait for its result and try again',
    409,
  ),
  'not three-phase': said('该线路不是三相线路', 'This is not a three-phase line', 400),
  'change not exists': said('变更记录不存在', 'The change does not exist', 404),
  'change not done': said('该变更没有生效，无需回退', 'This change never took effect, so there is nothing to revert', 409),
  'template not exists': said('模板不存在', 'The template does not exist', 404),
  'template exists': said('已有同名模板，请换一个名称', 'A template with this name already exists. Choose another name'),
  'template out of range': said(
    '模板中有参数超出允许范围，未保存，请改正后重试',
    'A value of the template is out of range. Not saved; correct it and try again',
    400,
  ),
  'other family': said('模板适用于其他类型的设备', 'The template is for another type of equipment', 400),
  'role not exists': said('角色不存在', 'The role does not exist', 404),
  'role exists': said('角色编号已存在，请换一个编号', 'A role with this number already exists. Choose another number'),
  'role empty': said('请至少选择一个权限', 'Choose at least one permission'),
  'role in use': said(
    '有 {count} 个用户正在使用该角色，请先为他们更换角色',
    'This role is in use (users: {count}). Give them another role first',
  ),
  'role in use unseen': said(
    '该角色正在使用中，请先更换相关用户的角色；如列表中没有这些用户，请联系管理员',
    'This role is in use. Give its users another role first; for users not in your list, ask the administrator',
  ),
  'role held beyond': said(
    '还有您管理范围以外的用户使用该角色，不能修改，请联系管理员',
    'Users outside your responsibility also have this role, so you cannot change it. Contact the administrator',
    403,
  ),
  'permission unknown': said(
    '没有“{key}”这个权限，请刷新后重新选择',
    'There is no permission {key}. Reload the form and select again',
    400,
  ),
  'permission beyond own': said(
    '不能授予或修改超出自身权限的内容，请联系管理员',
    'You cannot grant or change anything beyond your own permissions. Contact the administrator',
    403,
  ),
  'no device assigned': said('未分配设备', 'Assign at least one project or gateway'),
  'cannot remove self': said('不能删除或停用自己的账号', 'You cannot remove or disable your own account'),
  'account not empty': said(
    '该管理员名下还有 {projects} 个项目、{accounts} 个用户，请先迁移或删除',
    'This administrator still has projects ({projects}) or users ({accounts}). Transfer or remove them first',
  ),
  'old password needed': said('请输入原密码', 'Enter your current password', 403),
  'control grant over': said(
    '控制密码授权已过期，请重新输入',
    'The control password is valid for one minute and has expired. Enter it again',
    403,
  ),
  'silence not possible': said('无法消音：{why}', 'Cannot be silenced: {why}', 409),
  'self-test not permitted': said('当前不允许自检：{why}', 'A self-test is not permitted now: {why}', 409),
  'tag not exists': said('挂牌不存在或已取下', 'The tag does not exist or has already been removed', 404),
  'tag of another': said(
    '这是 {holder} 的挂牌，只能由本人取下；管理员取下须填写原因',
    'This tag belongs to {holder} and can only be removed by its holder. An administrator must give a reason',
    403,
  ),
  'tag id used': said('该挂牌编号已用于别处', 'This tag id has already been used elsewhere', 409),
  'expected end past': said('预计结束时间须晚于现在', 'The expected end must be later than now'),
  'photo malformed': said(
    '照片须为 JPEG、PNG 或 WebP，边长不超过 {side} 像素，请换一张',
    'A photo must be JPEG, PNG or WebP, at most {side} pixels a side. Choose another',
  ),
  'operation not exists': said('批量操作不存在', 'The group operation does not exist', 404),
  'group operation over': said('批量操作已结束，该线路未执行', 'The group operation has ended: this line was not operated', 409),
  'run sign-in ended': said(
    '发起人的登录已被终止，该线路未执行',
    'The session that started it was ended: this line was not operated',
    409,
  ),
  'operation id used': said('该批量操作编号已被使用', 'This group operation id has already been used', 409),
  'command not exists': said('操作记录不存在', 'The command does not exist', 404),
  'test not exists': said('自检记录不存在', 'The test does not exist', 404),
  'test not possible': said('该线路没有漏电自检功能', 'This line has no RCD test'),
  'reclosure not permitted': said('不允许自动重合闸：{why}', 'Auto-reclose is not allowed: {why}', 409),
  'reclosure missed': said(
    '已错过重合闸时刻，不再补合',
    'The time for this reclosing attempt has passed; it is not made up for',
    409,
  ),
  'feeds itself': said('线路不能由自己或自己的下级供电', 'A line cannot be fed by itself or by one of its downstream lines', 409),
  'firmware keys missing': said(
    '服务器未配置固件签名公钥，请在 LINEWARDEN_FIRMWARE_KEYS 中设置',
    'No public key for firmware signatures is configured on this server. Set LINEWARDEN_FIRMWARE_KEYS',
  ),
  'firmware signature wrong': said(
    '固件签名无效：不是由本服务器信任的密钥签发，或文件已被改动',
    'The firmware signature is not valid: not made with a key this server trusts, or the file was altered',
  ),
  'firmware manifest wrong': said('固件清单无效：{field} 不正确', 'The firmware manifest cannot be used: {field} is wrong'),
  'firmware model unknown': said(
    '没有型号为 {model} 的网关，请核对固件适用的型号',
    'No gateway here is of model {model}. Check for which model the firmware was made',
  ),
  'firmware same version': said(
    '型号 {model} 已有固件版本 {version}，请勿重复上传',
    'Firmware {version} for model {model} has already been uploaded',
  ),
  'firmware lower version': said(
    '型号 {model} 已有更高的固件版本 {latest}，不能上传 {version}',
    'Firmware {latest} for model {model} is newer than {version}. A lower version cannot be uploaded',
  ),
  'firmware piece elsewhere': said(
    '上传位置不连续，请从第 {received} 字节继续',
    'This part does not follow the last one. Continue from byte {received}',
  ),
  'firmware too long': said('固件文件比清单声明的 {size} 字节长', 'The firmware is longer than the {size} bytes of its manifest'),
  'firmware cut short': said(
    '固件文件不完整：应为 {size} 字节，只收到 {received} 字节，请重新上传',
    'The firmware file is incomplete: {received} of {size} bytes received. Upload it again',
  ),
  'firmware damaged': said(
    '固件文件已损坏：校验值与清单不一致，请重新上传',
    'The firmware file is damaged: its checksum does not match the manifest. Upload it again',
  ),
  'firmware not exists': said('固件不存在', 'The firmware does not exist', 404),
  'firmware not ready': said('该固件不可用于升级', 'This firmware cannot be installed: it is not complete, or was withdrawn'),
  'firmware in use': said('有升级任务正在使用该固件，请先中止任务', 'A campaign is installing this firmware. Abort it first'),
  'firmware none newer': said('没有适用于该网关的固件', 'There is no firmware for this gateway'),
  'firmware wrong model': said(
    '网关 {gateway} 的型号不是 {model}，不能安装该固件',
    'Gateway {gateway} is not of model {model} and cannot take this firmware',
  ),
  'upgrade under way': said('网关 {gateway} 已在另一个升级任务中', 'Gateway {gateway} is already in another upgrade'),
  'no gateways chosen': said('所选范围内没有适用该固件的网关', 'None of the selected gateways can use this firmware'),
  'campaign not exists': said('升级任务不存在', 'The campaign does not exist', 404),
  'campaign ended': said('升级任务已结束', 'The campaign has ended'),
  'push not exists': said('推送订阅不存在', 'The push subscription does not exist', 404),
  'push signature wrong': said('推送签名或密钥不正确', 'The signature or key of this push is wrong', 401),
  'push too old': said('推送时间超出允许范围，已拒绝', 'The time of this push is outside the permitted range. Refused', 401),
  'push duplicate': said('该消息已收到过，未重复处理', 'This message has already been received and was not processed again', 200),
  'push disabled': said('该推送订阅已停用', 'This push subscription is disabled', 403),
  'push too fast': said('推送过于频繁，请稍后重试', 'Too many pushes. Try again later', 429),
  'push encryption wrong': said('只有 OneNET 支持加密模式', 'Only OneNET has a secure mode with an AES key', 400),
  'product twice': said('产品 {product} 填写了两次', 'Product {product} is named twice', 400),
  'model unknown': said('没有型号 {model} 的探测器', 'No detector has the model {model}', 400),
  'too many pushes': said('每个项目最多 {most} 个推送订阅', 'A project has at most {most} push subscriptions'),
  'token not possible': said('该设备不支持凭码访问', 'This device does not support access by token', 400),
  'line not exists': said('线路不存在', 'The line does not exist', 404),
} as const satisfies Record<string, Message>

export type MessageKey = keyof typeof messages

/** True for a key of the catalogue. */
export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(messages, key)

/** The catalogue's text with `{name}` filled from `detail`. */
export function textOf(key: MessageKey, detail: Readonly<Record<string, unknown>> = {}): Text {
  const fill = (text: string, language: keyof Text) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in detail ? worded(detail[name], language) : whole))
  const { zh, en } = messages[key]
  return { zh: fill(zh, 'zh'), en: fill(en, 'en') }
}

/** A fact that is itself a text goes in in the language of the message. */
const worded = (fact: unknown, language: keyof Text): string =>
  typeof fact === 'object' && fact !== null && language in fact ? String((fact as Text)[language]) : String(fact)
