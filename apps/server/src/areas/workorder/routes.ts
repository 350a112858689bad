import {
  acceptWorkOrders,
  closeWorkOrder,
  commentWorkOrder,
  declineWorkOrder,
  dispatchWorkOrders,
  exportWorkOrders,
  getOrderPhoto,
  getWorkOrder,
  insertWorkOrder,
  listOrderNotices,
  pauseWorkOrder,
  previewOrderRule,
  processWorkOrder,
  queryOrderRules,
  queryWorkOrders,
  readOrderNotices,
  reopenWorkOrder,
  returnWorkOrder,
  sendOrderPhoto,
  takeBackOrderPhoto,
  takeWorkOrder,
  updateOrderRule,
  updateWorkOrder,
  workOrderPeople,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { WorkOrders } from './service.ts'

export function workOrderRoutes(serve: Serve, orders: WorkOrders): void {
  serve(queryWorkOrders, ({ actor, project, body }) => orders.query(actor, project, body))
  serve(exportWorkOrders, ({ actor, project, body }) => orders.exportOrders(actor, project, body))
  serve(listOrderNotices, ({ actor, query }) => orders.listNotices(actor, query))
  serve(readOrderNotices, ({ actor, body }) => orders.readNotices(actor, body))
  serve(getWorkOrder, ({ actor, params }) => orders.get(actor, params.OrderID))
  serve(workOrderPeople, ({ actor, project, query }) => orders.people(actor, project, query.DeviceID ?? null))
  serve(insertWorkOrder, ({ actor, project, body }) => orders.insert(actor, project, body))
  serve(updateWorkOrder, ({ actor, body }) => orders.update(actor, body))
  serve(commentWorkOrder, ({ actor, params, body }) => orders.comment(actor, params.OrderID, body))
  serve(sendOrderPhoto, ({ actor, params, body }) => orders.sendPhoto(actor, params, body))
  serve(takeBackOrderPhoto, ({ actor, params }) => orders.takeBackPhoto(actor, params))
  serve(getOrderPhoto, ({ actor, params }) => orders.getPhoto(actor, params))
  serve(dispatchWorkOrders, ({ actor, body }) => orders.dispatch(actor, body))
  serve(takeWorkOrder, ({ actor, body }) => orders.take(actor, body))
  serve(declineWorkOrder, ({ actor, body }) => orders.decline(actor, body))
  serve(pauseWorkOrder, ({ actor, body }) => orders.pause(actor, body))
  serve(processWorkOrder, ({ actor, body }) => orders.process(actor, body))
  serve(returnWorkOrder, ({ actor, body }) => orders.sendBack(actor, body))
  serve(acceptWorkOrders, ({ actor, body }) => orders.accept(actor, body))
  serve(closeWorkOrder, ({ actor, body }) => orders.finish(actor, body))
  serve(queryOrderRules, ({ actor, project }) => orders.rules(actor, project))
  serve(updateOrderRule, ({ actor, project, body }) => orders.updateRule(actor, project, body))
  serve(previewOrderRule, ({ actor, project, body }) => orders.previewRule(actor, project, body))
  serve(reopenWorkOrder, ({ actor, body }) => orders.reopen(actor, body))
}
