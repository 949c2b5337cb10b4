/* What StarPU takes for the same work: prints lines "what,seconds,cores", in the words of the tables.
 *
 *   starpu overhead TASKS ROUND_TRIPS
 *   starpu grain TASKS:ROUNDS ...
 *   starpu figure8 REPETITIONS ELEMENTS CHUNKS ...
 *
 * The scheduler is STARPU_SCHED's. Tasks of `grain` do fixed arithmetic, the same as those beside them: a task that
 * watched the clock would count time that others had the core as work. */
#define _POSIX_C_SOURCE 200809L
#include <starpu.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_HANDLES 8
/* Tasks that update data take turns with so many sets of it. */
#define SETS 64

static void check(int code, const char *what)
{
	if (code != 0) {
		fprintf(stderr, "starpu: %s: %s\n", what, strerror(-code));
		exit(1);
	}
}

static double clock_s(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double began_s, began_cpu_s;

static void begin(void)
{
	began_cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
	began_s = clock_s(CLOCK_MONOTONIC);
}

static void end(const char *what, double count)
{
	double wall_s = clock_s(CLOCK_MONOTONIC) - began_s;
	double cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - began_cpu_s;
	printf("%s,%.9g,%.3f\n", what, wall_s / count, cpu_s / wall_s);
}

static void nothing(void *buffers[], void *args)
{
	(void)buffers;
	(void)args;
}

static volatile uint64_t sink;

static uint64_t arithmetic(uint64_t rounds)
{
	uint64_t x = rounds;
	for (uint64_t k = 0; k < rounds; k++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static void work(void *buffers[], void *args)
{
	(void)buffers;
	sink = arithmetic((uint64_t)(uintptr_t)args);
}

static void saxpy(void *buffers[], void *args)
{
	(void)args;
	const float *x = (const float *)STARPU_VECTOR_GET_PTR(buffers[0]);
	const float *y = (const float *)STARPU_VECTOR_GET_PTR(buffers[1]);
	float *z = (float *)STARPU_VECTOR_GET_PTR(buffers[2]);
	size_t n = STARPU_VECTOR_GET_NX(buffers[0]);
	for (size_t i = 0; i < n; i++)
		z[i] = 2.0f * x[i] + y[i];
}

/* Sixteen sums, as compilers make them where the order of a sum is free. */
static void dot(void *buffers[], void *args)
{
	(void)args;
	const float *x = (const float *)STARPU_VECTOR_GET_PTR(buffers[0]);
	const float *y = (const float *)STARPU_VECTOR_GET_PTR(buffers[1]);
	size_t n = STARPU_VECTOR_GET_NX(buffers[0]), i = 0;
	float sums[16] = {0}, sum = 0;
	for (; i + 16 <= n; i += 16)
		for (int j = 0; j < 16; j++)
			sums[j] += x[i + j] * y[i + j];
	for (; i < n; i++)
		sum += x[i] * y[i];
	for (int j = 0; j < 16; j++)
		sum += sums[j];
	*(float *)STARPU_VARIABLE_GET_PTR(buffers[2]) = sum;
}

static void sum(void *buffers[], void *args)
{
	(void)args;
	const float *x = (const float *)STARPU_VECTOR_GET_PTR(buffers[0]);
	size_t n = STARPU_VECTOR_GET_NX(buffers[0]), i = 0;
	float sums[16] = {0}, total = 0;
	for (; i + 16 <= n; i += 16)
		for (int j = 0; j < 16; j++)
			sums[j] += x[i + j];
	for (; i < n; i++)
		total += x[i];
	for (int j = 0; j < 16; j++)
		total += sums[j];
	*(float *)STARPU_VARIABLE_GET_PTR(buffers[1]) = total;
}

/* What schedulers that plan know of each kind of tasks. */
static struct starpu_perfmodel models[8];

static struct starpu_codelet codelet(int number, const char *name, starpu_cpu_func_t body, int buffers,
                                     enum starpu_data_access_mode mode)
{
	struct starpu_codelet made;
	starpu_codelet_init(&made);
	models[number].type = STARPU_HISTORY_BASED;
	models[number].symbol = name;
	made.cpu_funcs[0] = body;
	made.nbuffers = buffers;
	made.model = &models[number];
	made.name = name;
	for (int i = 0; i < buffers; i++)
		made.modes[i] = mode;
	return made;
}

static void submit(struct starpu_codelet *kind, starpu_data_handle_t *handles, void *args)
{
	struct starpu_task *task = starpu_task_create();
	task->cl = kind;
	task->cl_arg = args;
	for (int i = 0; i < kind->nbuffers; i++)
		task->handles[i] = handles[i];
	check(starpu_task_submit(task), "starpu_task_submit");
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void round_trips(struct starpu_codelet *kind, int count)
{
	double *times_s = malloc(sizeof(double) * (size_t)count), total_s = 0;
	for (int i = 0; i < count; i++) {
		double began = clock_s(CLOCK_MONOTONIC);
		struct starpu_task *task = starpu_task_create();
		task->cl = kind;
		task->detach = 0;
		task->destroy = 1;
		check(starpu_task_submit(task), "starpu_task_submit");
		check(starpu_task_wait(task), "starpu_task_wait");
		total_s += times_s[i] = clock_s(CLOCK_MONOTONIC) - began;
	}
	qsort(times_s, (size_t)count, sizeof(double), by_value);
	printf("submit and wait; mean,%.9g,\n", total_s / count);
	printf("submit and wait; p50,%.9g,\n", times_s[count / 2]);
	printf("submit and wait; p99,%.9g,\n", times_s[count * 99 / 100]);
	free(times_s);
}

static void overhead(int tasks, int trips)
{
	static double data[SETS][MOST_HANDLES];
	static starpu_data_handle_t handles[SETS][MOST_HANDLES];
	for (int s = 0; s < SETS; s++)
		for (int h = 0; h < MOST_HANDLES; h++)
			starpu_variable_data_register(&handles[s][h], STARPU_MAIN_RAM, (uintptr_t)&data[s][h],
			                              sizeof(double));
	struct starpu_codelet empty = codelet(0, "empty", nothing, 0, STARPU_R);
	/* The first ones make threads' memory. */
	for (int i = 0; i < 1000; i++)
		submit(&empty, NULL, NULL);
	starpu_task_wait_for_all();

	begin();
	for (int i = 0; i < tasks; i++)
		submit(&empty, NULL, NULL);
	starpu_task_wait_for_all();
	end("empty task", tasks);

	struct starpu_codelet link = codelet(1, "link", nothing, 1, STARPU_RW);
	begin();
	for (int i = 0; i < tasks; i++)
		submit(&link, handles[0], NULL);
	starpu_task_wait_for_all();
	end("link of a chain", tasks);

	const int counts[] = {1, 3, 8};
	for (int c = 0; c < 3; c++) {
		char what[64];
		struct starpu_codelet reads = codelet(2 + c, "reads", nothing, counts[c], STARPU_R);
		begin();
		for (int i = 0; i < tasks; i++)
			submit(&reads, handles[0], NULL);
		starpu_task_wait_for_all();
		snprintf(what, sizeof what, "reads %d", counts[c]);
		end(what, tasks);
		struct starpu_codelet updates = codelet(5 + c, "updates", nothing, counts[c], STARPU_RW);
		begin();
		for (int i = 0; i < tasks; i++)
			submit(&updates, handles[i % SETS], NULL);
		starpu_task_wait_for_all();
		snprintf(what, sizeof what, "updates %d", counts[c]);
		end(what, tasks);
	}
	round_trips(&empty, trips);
	for (int s = 0; s < SETS; s++)
		for (int h = 0; h < MOST_HANDLES; h++)
			starpu_data_unregister(handles[s][h]);
}

static void grain(int tasks, uint64_t rounds)
{
	struct starpu_codelet kind = codelet(0, "work", work, 0, STARPU_R);
	char what[64];
	begin();
	for (int i = 0; i < tasks; i++)
		submit(&kind, NULL, (void *)(uintptr_t)rounds);
	starpu_task_wait_for_all();
	snprintf(what, sizeof what, "%d:%llu", tasks, (unsigned long long)rounds);
	end(what, 1);
}

static float *fresh(size_t n)
{
	float *data = malloc(n * sizeof(float));
	if (!data) {
		fprintf(stderr, "starpu: no memory for %zu elements\n", n);
		exit(1);
	}
	for (size_t i = 0; i < n; i++)
		data[i] = (float)(i % 4);
	return data;
}

/* One call: data comes to StarPU, is cut, and is the program's again at the end. */
static void call(const char *what, struct starpu_codelet *kind, int vectors, size_t n, int chunks)
{
	float *data[3], *sums = calloc((size_t)chunks, sizeof(float));
	starpu_data_handle_t handles[3], parts[MOST_HANDLES], *sum_handles = calloc((size_t)chunks, sizeof *sum_handles);
	struct starpu_data_filter filter = {.filter_func = starpu_vector_filter_block, .nchildren = (unsigned)chunks};
	char name[64];
	for (int v = 0; v < vectors; v++)
		data[v] = fresh(n);
	begin();
	for (int v = 0; v < vectors; v++) {
		starpu_vector_data_register(&handles[v], STARPU_MAIN_RAM, (uintptr_t)data[v], (uint32_t)n, sizeof(float));
		starpu_data_partition(handles[v], &filter);
	}
	for (int k = 0; k < chunks; k++) {
		for (int v = 0; v < vectors; v++)
			parts[v] = starpu_data_get_sub_data(handles[v], 1, k);
		if (kind->nbuffers > vectors) {
			starpu_variable_data_register(&sum_handles[k], STARPU_MAIN_RAM, (uintptr_t)&sums[k], sizeof(float));
			parts[vectors] = sum_handles[k];
		}
		submit(kind, parts, NULL);
	}
	starpu_task_wait_for_all();
	float total = 0;
	for (int k = 0; k < chunks; k++) {
		if (kind->nbuffers > vectors)
			starpu_data_unregister(sum_handles[k]);
		total += sums[k];
	}
	for (int v = 0; v < vectors; v++) {
		starpu_data_unpartition(handles[v], STARPU_MAIN_RAM);
		starpu_data_unregister(handles[v]);
	}
	snprintf(name, sizeof name, "%s %d", what, chunks);
	end(name, 1);
	sink = (uint64_t)total;
	for (int v = 0; v < vectors; v++)
		free(data[v]);
	free(sums);
	free(sum_handles);
}

static void figure8(size_t n, int chunks)
{
	struct starpu_codelet map = codelet(0, "saxpy", saxpy, 3, STARPU_R);
	map.modes[2] = STARPU_W;
	struct starpu_codelet reduce = codelet(1, "sum", sum, 2, STARPU_R);
	reduce.modes[1] = STARPU_W;
	struct starpu_codelet map_reduce = codelet(2, "dot", dot, 3, STARPU_R);
	map_reduce.modes[2] = STARPU_W;
	call("Map", &map, 3, n, chunks);
	call("Reduce", &reduce, 1, n, chunks);
	call("MapReduce", &map_reduce, 2, n, chunks);
}

int main(int argc, char **argv)
{
	if (argc < 4 && !(argc == 3 && strcmp(argv[1], "grain") == 0)) {
		fprintf(stderr, "starpu: overhead TASKS ROUND_TRIPS | grain TASKS:ROUNDS ... | "
		                "figure8 REPETITIONS ELEMENTS CHUNKS ...\n");
		return 2;
	}
	check(starpu_init(NULL), "starpu_init");
	if (strcmp(argv[1], "overhead") == 0)
		overhead(atoi(argv[2]), atoi(argv[3]));
	if (strcmp(argv[1], "grain") == 0) {
		for (int a = 2; a < argc; a++) {
			char *rounds = strchr(argv[a], ':');
			if (rounds)
				grain(atoi(argv[a]), strtoull(rounds + 1, NULL, 10));
		}
	}
	if (strcmp(argv[1], "figure8") == 0)
		for (int r = 0; r < atoi(argv[2]); r++)
			for (int a = 4; a < argc; a++)
				figure8((size_t)atoll(argv[3]), atoi(argv[a]));
	starpu_shutdown();
	return 0;
}
