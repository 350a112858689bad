import { message } from '../../terms/message.ts'
import { numbered } from '../../terms/subject-kind.ts'
import { refused, text } from '../../terms/text.ts'

export const subjects = {
  role: numbered('角色', 'Role'),
} as const

export const actions = {
  'session.end': text('结束会话', 'End session'),
  'account.create': text('新增用户', 'Add user'),
  'account.edit': text('编辑用户', 'Edit user'),
  'account.password': text('修改密码', 'Change password'),
  'account.assign': text('分配设备', 'Assign devices'),
  'account.delete': text('删除用户', 'Remove user'),
  'role.add': text('新增角色', 'Add role'),
  'role.edit': text('编辑角色', 'Edit role'),
  'role.delete': text('删除角色', 'Delete role'),
} as const

export const refusedCalls = {
  addRole: refused('新增角色', 'Add role'),
  editRole: refused('编辑角色', 'Edit role'),
  deleteRole: refused('删除角色', 'Delete role'),
  addSubAccount: refused('新增子账号', 'Add sub-account'),
  addSharedAccount: refused('新增共享账号', 'Add shared account'),
  addAdministrator: refused('新增管理员', 'Add administrator'),
  editUser: refused('编辑用户', 'Edit user'),
  resetSecondFactor: refused('重置两步验证', 'Reset second factor'),
  deleteUser: refused('删除用户', 'Remove user'),
  endSession: refused('结束会话', 'End session'),
} as const

export const refusals = {
  'password same': message('新密码不能与原密码相同', 'The new password must differ from the current one'),
  'control password same': message(
    '控制密码不能与登录密码相同，请换一个',
    'The control password must differ from the sign-in password. Choose another',
  ),
  'role not exists': message('角色不存在', 'The role does not exist', 404),
  'role exists': message('角色编号已存在，请换一个编号', 'A role with this number already exists. Choose another number'),
  'role empty': message('请至少选择一个权限', 'Choose at least one permission'),
  'role in use': message(
    '有 {count} 个用户正在使用该角色，请先为他们更换角色',
    'This role is in use (users: {count}). Give them another role first',
  ),
  'role in use unseen': message(
    '该角色正在使用中，请先更换相关用户的角色；如列表中没有这些用户，请联系管理员',
    'This role is in use. Give its users another role first; for users not in your list, ask the administrator',
  ),
  'role held beyond': message(
    '还有您管理范围以外的用户使用该角色，不能修改，请联系管理员',
    'Users outside your responsibility also have this role, so you cannot change it. Contact the administrator',
    403,
  ),
  'permission unknown': message(
    '没有“{key}”这个权限，请刷新后重新选择',
    'There is no permission {key}. Reload the form and select again',
    400,
  ),
  'permission beyond own': message(
    '不能授予或修改超出自身权限的内容，请联系管理员',
    'You cannot grant or change anything beyond your own permissions. Contact the administrator',
    403,
  ),
  'no device assigned': message('未分配设备', 'Assign at least one project or gateway'),
  'cannot remove self': message('不能删除或停用自己的账号', 'You cannot remove or disable your own account'),
  'account not empty': message(
    '该管理员名下还有 {projects} 个项目、{accounts} 个用户，请先迁移或删除',
    'This administrator still has projects ({projects}) or users ({accounts}). Transfer or remove them first',
  ),
  'old password needed': message('请输入原密码', 'Enter your current password', 403),
} as const
