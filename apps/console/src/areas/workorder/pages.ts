import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const workOrderPages: ConsolePages = {
  [paths.workOrders]: async () => (await import('./work-orders-page.tsx')).WorkOrdersPage,
}
