import { getBudgetCourse, listBudgets, saveBudget } from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Budgets } from './budgets.ts'

export function budgetRoutes(serve: Serve, budgets: Budgets): void {
  serve(listBudgets, ({ actor, project }) => budgets.list(actor, project))
  serve(getBudgetCourse, ({ actor, project, query }) => budgets.course(actor, project, query.BudgetID, query.Day))
  serve(saveBudget, ({ actor, project, body }) => budgets.save(actor, project, body))
}
