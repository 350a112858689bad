import { message } from '../../terms/message.ts'
import { kind } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  /** By its name, in lower case. */
  account: kind('账号', 'Account', 'name'),
  /** By its id in the database, as a refused request names it. */
  accountId: kind('账号', 'Account', 'name'),
} as const

export const actions = {
  login: text('登录', 'Sign in'),
  'login.refused': text('登录尝试被拒绝（汇总）', 'Sign-ins refused (summary)'),
  'session.refused': text('请求签名、时间或随机数不正确（汇总）', 'Requests with a wrong signature, time or nonce (summary)'),
  'session.denied': text('查询无权限或不存在的对象（汇总）', 'Requests for what is not permitted or not there (summary)'),
  'login.partner': text('第三方登录', 'Partner sign-on'),
  logout: text('退出登录', 'Sign out'),
  'control.grant': text('验证控制密码', 'Control password'),
  'login.remembered': text('免密登录', 'Sign in without password'),
  'login.signon': text('单点登录', 'Organisation sign-on'),
  'login.factor': text('两步验证', 'Second factor'),
  'login.recovery': text('使用恢复码', 'Recovery code used'),
  'account.factor.on': text('启用两步验证', 'Second factor on'),
  'account.factor.off': text('停用两步验证', 'Second factor off'),
  'account.factor.codes': text('更换恢复码', 'New recovery codes'),
  'account.factor.reset': text('重置两步验证', 'Second factor reset'),
  'login.key': text('接口密钥登录', 'Sign in by API key'),
  'key.add': text('新增接口密钥', 'Add API key'),
  'key.revoke': text('吊销接口密钥', 'Revoke API key'),
  'branding.edit': text('修改品牌', 'Edit branding'),
} as const

export const refusedCalls = {
  editBranding: refused('修改品牌', 'Edit branding'),
  addKey: refused('新增接口密钥', 'Add API key'),
  revokeKey: refused('吊销接口密钥', 'Revoke API key'),
} as const

export const refusals = {
  'account locked': message(
    '登录失败次数过多，请 {minutes} 分钟后再试',
    'Too many failed attempts. Try again in {minutes} min',
    429,
  ),
  'sign-in slowed': message(
    '此网络登录失败次数过多，请 {seconds} 秒后再试',
    'Too many failed sign-ins from this network. Try again in {seconds} s',
    429,
  ),
  'remembered sign-in over': message('记住的登录已失效，请重新登录', 'The remembered sign-in has expired. Sign in again'),
  'password needed': message(
    '此设备是免密登录，操作前请输入密码',
    'This device was signed in without a password. Enter the password first',
    403,
  ),
  'password again': message('请重新输入登录密码后继续', 'Enter your sign-in password again first', 403),
  'key wrong': message(
    '接口密钥不正确、已到期或已吊销，请联系创建者更换',
    'This API key is wrong, has expired or was revoked. Ask whoever made it for another',
    401,
  ),
  'key may not': message(
    '接口密钥无权调用此接口；如需操作设备，请新建允许操作的密钥',
    'An API key may not make this call. To operate lines, make a key that may',
    403,
  ),
  'key not exists': message('接口密钥不存在，请刷新列表', 'There is no such API key. Reload the list', 404),
  'too many keys': message(
    '每个账号最多 {most} 个有效的接口密钥，请先吊销不再使用的',
    'An account has at most {most} valid API keys. Revoke one that is no longer used first',
  ),
  'second factor needed': message('请输入验证码', 'Enter the code from your authenticator app'),
  'sign-in step over': message('验证已超时，请重新登录', 'This took too long. Sign in again'),
  'code wrong': message('验证码不正确或已使用', 'The code is wrong or has already been used'),
  'second factor required': message('请先启用两步验证', 'Set up the second factor first', 403),
  'second factor on': message('两步验证已启用', 'The second factor is already on'),
  'second factor off': message('两步验证未启用', 'The second factor is not on'),
  'second factor lost': message(
    '服务器无法读取您的两步验证密钥，请使用恢复码，或联系管理员重置',
    'The server cannot read the key of your second factor any more. Use a recovery code, or ask an administrator to reset it',
  ),
  'password lost': message(
    '服务器无法校验您的密码，请联系管理员重新设置',
    'The server cannot check your password any more. Ask an administrator to set a new one',
    403,
  ),
  'logo not taken': message(
    '徽标须为 PNG、JPEG 或 WebP 图片，不超过 {most} KB，边长不超过 {side} 像素',
    'A logo must be PNG, JPEG or WebP, at most {most} KB and {side} pixels a side',
  ),
  'password must change': message(
    '您的密码由他人设置，请先修改为自己的密码',
    'This password was issued to you. Change it to one of your own first',
    403,
  ),
  'password too common': message(
    '密码过短、过于常见，或是账号、单位、项目等容易猜到的名称，请换一个',
    'This password is too short, too common, or a name that is easily guessed: of an account, a project or the company. Choose another',
  ),
  'control password wrong': message('控制密码错误', 'The control password is wrong'),
  'control locked': message(
    '控制密码连续错误，合闸与参数设置已锁定 {minutes} 分钟；仍可分闸',
    'Too many wrong control passwords. Closing and settings are locked for {minutes} min; tripping is still possible',
    429,
  ),
  'control password lost': message(
    '服务器无法校验您的控制密码，请联系管理员重新设置；仍可分闸',
    'The server cannot check your control password any more. Ask an administrator to set a new one; tripping works all the same',
    403,
  ),
  'control grant missing': message('请先输入控制密码', 'Enter the control password first', 403),
  'control grant over': message(
    '控制密码授权已过期，请重新输入',
    'The control password is valid for one minute and has expired. Enter it again',
    403,
  ),
} as const
