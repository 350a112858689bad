import type { Locator } from '@playwright/test'

/** Opens one tab of a line's drawer. */
export const openTab = (drawer: Locator, name: '实时' | '操作' | '挂牌' | '跳闸分析' | '事件') =>
  drawer
    .getByRole('tablist', { name: '线路信息' })
    .getByRole('tab', { name: new RegExp(`^${name}( \\d+)?$`) })
    .click()
