import type { Exposure } from '@linewarden/contract'

/** The copy has failed since then, Unix ms. */
export function failureOf(folder: string, { since, why }: { since: number; why: string }): Exposure {
  const at = new Date(since).toISOString()
  return {
    Kind: 'auditCopy',
    Said: {
      en: `The system log has not been copied to ${folder} since ${at} (${why}). Make room, or give the server's user the right to write there: what is missing is then copied by itself.`,
      zh: `自 ${at} 起，系统日志未能写入副本目录 ${folder}（${why}）。请清理磁盘空间或为服务器用户授予写权限，恢复后会自动补写。`,
    },
  }
}

/** The database has another entry of this number than the copy. */
export const departureOf = (sequence: number): Exposure => ({
  Kind: 'auditCopy',
  Said: {
    en: `The system log in the database is no longer the one that was copied (entry ${sequence}): somebody changed it, or an older database was restored. "Verify" on the page System log says from which entry on; see "Copy of the audit trail" in docs/operations.md.`,
    zh: `数据库中的系统日志与副本不一致（第 ${sequence} 条）：可能被改动，或恢复了较早的数据库。请在“系统日志”页点击校验，查看自哪一条起不一致；参见 docs/operations.md 的 “Copy of the audit trail” 一节。`,
  },
})

/** The copy itself is damaged at this line. */
export const damageOf = (folder: string, line: string): Exposure => ({
  Kind: 'auditCopy',
  Said: {
    en: `The copy of the system log in ${folder} is damaged at ${line}: a line was changed, or entries are missing before it. What stands in the database is checked by "Verify" on the page System log; see "Copy of the audit trail" in docs/operations.md.`,
    zh: `副本目录 ${folder} 中的系统日志副本在 ${line} 处损坏：该行被改动，或其前有缺失。可在“系统日志”页点击校验数据库中的日志；参见 docs/operations.md 的 “Copy of the audit trail” 一节。`,
  },
})
