import { and, desc, eq, type InferSelectModel, sql } from 'drizzle-orm';
import { members } from '../../auth/tables';
import { has, pick } from '../../platform/data/columns';
import { insertSelect, mustChangeOneRow, updateOneRow } from '../../platform/data/db';
import { type Condition, orm, type Value } from '../../platform/data/statements';
import { NOTES_SHOWN } from '../limits';
import { type QuestionCode, requestQuestions, staffNotes } from '../tables';

type QuestionRow = InferSelectModel<typeof requestQuestions>;
type NoteRow = InferSelectModel<typeof staffNotes>;

/**
 * The request and the order that notes or questions are about. A member is null if there is none. The request's id may
 * be a subquery.
 */
interface Subject {
  orderRequestId: Value<string> | Condition | null;
  orderId: string | null;
}

/** Writes a note. The batch is undone unless `onlyIf` holds. */
export function insertNote(row: NoteRow, onlyIf: Condition) {
  return mustChangeOneRow(insertSelect(staffNotes, row, sql`where ${onlyIf}`));
}

export function insertQuestion(row: QuestionRow) {
  return orm.insert(requestQuestions).values(row);
}

/** Writes the answer to a question. The batch is undone unless the question exists and is open. */
export function answerQuestionRow(
  of: { orgId: string; orderRequestId: string; id: string },
  answer: Pick<QuestionRow, 'answer' | 'answeredBy' | 'answeredAt'>,
) {
  return updateOneRow(
    requestQuestions,
    answer,
    has(requestQuestions, { orgId: of.orgId, orderRequestId: of.orderRequestId, id: of.id, answeredAt: null }),
  );
}

/**
 * SQL for the name of a member. Null if `id` is the id of a program. Table names are written out, because Drizzle omits
 * them in a select from one table.
 */
function nameOf(id: Condition) {
  return sql<
    string | null
  >`(select coalesce(who.name, nullif(who.email, '')) from ${members} as who where who.id = ${id})`;
}

/** Selects notes, newest first, at most `NOTES_SHOWN`. */
export function selectNotes(orgId: Value<string>, { orderRequestId, orderId }: Subject) {
  return orm
    .select({
      id: sql<string>`note.id`.as('note_id'),
      text: sql<string>`note.text`.as('note_text'),
      at: sql<number>`note.written_at`.as('note_at'),
      by: nameOf(sql`note.written_by`).as('note_by'),
    })
    .from(sql`${staffNotes} as note`)
    .where(sql`note.org_id = ${orgId} and (note.order_request_id = ${orderRequestId} or note.order_id = ${orderId})`)
    .orderBy(sql`note.id desc`)
    .limit(NOTES_SHOWN);
}

/** Selects the questions about a request, newest first, at most `NOTES_SHOWN`. */
export function selectQuestions(orgId: Value<string>, orderRequestId: Value<string> | Condition) {
  return orm
    .select({
      id: sql<string>`question.id`.as('question_id'),
      code: sql<QuestionCode>`question.code`.as('question_code'),
      text: sql<string>`question.text`.as('question_text'),
      askedAt: sql<number>`question.asked_at`.as('question_asked_at'),
      askedBy: nameOf(sql`question.asked_by`).as('question_asked_by'),
      answer: sql<string | null>`question.answer`.as('question_answer'),
      answeredAt: sql<number | null>`question.answered_at`.as('question_answered_at'),
      answeredBy: nameOf(sql`question.answered_by`).as('question_answered_by'),
    })
    .from(sql`${requestQuestions} as question`)
    .where(sql`question.org_id = ${orgId} and question.order_request_id = ${orderRequestId}`)
    .orderBy(sql`question.id desc`)
    .limit(NOTES_SHOWN);
}

/** Selects the open questions of a request. */
export function selectOpenQuestions(orgId: Value<string>, orderRequestId: Value<string>) {
  return orm
    .select({ id: requestQuestions.id })
    .from(requestQuestions)
    .where(has(requestQuestions, { orgId, orderRequestId, answeredAt: null }));
}

/** Selects the newest open question of a request. */
export function selectOpenQuestion(orderRequestId: string) {
  return orm
    .select(pick(requestQuestions, ['id', 'code', 'askedAt']))
    .from(requestQuestions)
    .where(has(requestQuestions, { orderRequestId, answeredAt: null }))
    .orderBy(desc(requestQuestions.id))
    .limit(1);
}

/** Returns a subquery that reads one column of a request's newest open question. */
export function ofOpenQuestion(column: 'id' | 'code' | 'text', requestId: string): Condition {
  return sql`(select ${sql.raw(column)} from ${requestQuestions}
    where order_request_id = ${requestId} and answered_at is null order by id desc limit 1)`;
}

/**
 * Returns the queries that read all questions and notes about a person, for the export of the person's data.
 * @param of subqueries of request and order ids
 */
export function selectWords(orgId: string, of: { requestIds: Condition; orderIds: Condition }) {
  return {
    questions: orm
      .select()
      .from(requestQuestions)
      .where(and(eq(requestQuestions.orgId, orgId), sql`order_request_id in ${of.requestIds}`))
      .orderBy(requestQuestions.id),
    notes: orm
      .select()
      .from(staffNotes)
      .where(
        and(eq(staffNotes.orgId, orgId), sql`(order_request_id in ${of.requestIds} or order_id in ${of.orderIds})`),
      )
      .orderBy(staffNotes.id),
  };
}

/**
 * Returns the statements that delete all questions and notes about requests and orders, for the erasure of a person's
 * data.
 * @param of subqueries of ids
 */
export function deleteWords(of: { requestIds: Condition; orderIds: Condition }) {
  return [
    orm.delete(requestQuestions).where(sql`order_request_id in ${of.requestIds}`),
    orm.delete(staffNotes).where(sql`order_request_id in ${of.requestIds}`),
    orm.delete(staffNotes).where(sql`order_id in ${of.orderIds}`),
  ];
}
