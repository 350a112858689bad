import { inBoth } from './in-both.ts'

/** Signing in. */
export const account = inBoth(
  {
    title: '登录',
    subtitle: '用电安全监控与能源管理',
    userName: '账号',
    password: '密码',
    show: '显示密码',
    hide: '隐藏密码',
    signIn: '登录',
    signingIn: '正在登录',
    accountEmpty: '账号不能为空',
    passwordEmpty: '密码不能为空',
    left: '还可再试 {{left}} 次，之后锁定 15 分钟。',
    offline: '无法连接服务器',
    offlineHint: '请检查网络，或联系管理员确认服务是否在运行。',
    notProtective: '本平台不是保护装置：断路器、剩余电流保护与消防系统始终优先。',
  },
  {
    title: 'Sign in',
    subtitle: 'Electrical safety and energy console',
    userName: 'Account',
    password: 'Password',
    show: 'Show password',
    hide: 'Hide password',
    signIn: 'Sign in',
    signingIn: 'Signing in',
    accountEmpty: 'The account is missing',
    passwordEmpty: 'The password is missing',
    left: '{{left}} attempts left, then locked for 15 minutes.',
    offline: 'The server cannot be reached',
    offlineHint: 'Check the network, or ask the administrator whether the server is running.',
    notProtective:
      'This platform is not a protective device: breakers, residual-current devices and fire systems always come first.',
  },
)
