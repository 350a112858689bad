import { inBoth } from '../../ui/in-both.ts'

/** What platform administrators are told of what is not protected. */
export const exposure = inBoth(
  {
    title: '安全提示',
    plain: '未加密且超出本机范围：{{what}}。',
    certificate: '证书无效或即将到期，或新证书无法使用。',
    auditCopy: '系统日志的副本未能写入，或与数据库不一致。',
    what: { console: '控制台', mqtt: '网关（MQTT）', database: '数据库' },
    toDo: '处理方法',
    close: '暂不提示',
  },
  {
    title: 'Security notice',
    plain: 'Without TLS beyond this machine: {{what}}.',
    certificate: 'A certificate is not valid or ends soon, or its successor cannot be used.',
    auditCopy: 'The copy of the system log is not written, or the database departs from it.',
    what: { console: 'console', mqtt: 'gateways (MQTT)', database: 'database' },
    toDo: 'What to do',
    close: 'Hide for now',
  },
)
